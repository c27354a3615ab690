import { Cron } from "croner";
import { readTime, type ScheduleSpec, shortestMs, tooOften, wrongSchedule } from "./spec.ts";

/** The times of one schedule, in milliseconds since 1970. Only this file knows croner, and it is loaded with the first schedule. */
export interface Times {
  /** The first time after the given one; undefined if there is none. */
  after(time: number): number | undefined;
}

/** Throws CONFIG_INVALID for a pattern or zone that cannot be read, that has no time at all, or that comes too often. */
export function timesOf(id: string, spec: ScheduleSpec, madeAt: number): Times {
  if (spec.at !== undefined) {
    const at = readTime(id, "at", spec.at);
    return { after: (time) => (time < at ? at : undefined) };
  }
  if (spec.everyMs !== undefined) {
    const { everyMs } = spec;
    const from = spec.from === undefined ? madeAt : readTime(id, "from", spec.from);
    // From a time in the future on, the first one is that time itself.
    return { after: (time) => (time < from ? from : from + (Math.floor((time - from) / everyMs) + 1) * everyMs) };
  }
  return cronTimes(id, spec as ScheduleSpec & { readonly cron: string; readonly tz: string });
}

/** The next times, at most `count`. */
export function nextTimes(times: Times, after: number, count: number): readonly number[] {
  const found: number[] = [];
  for (let time = times.after(after); time !== undefined && found.length < count; time = times.after(time)) found.push(time);
  return found;
}

function cronTimes(id: string, { cron, tz, seconds = false }: ScheduleSpec & { readonly cron: string; readonly tz: string }): Times {
  if (!isZone(tz)) throw wrongSchedule(id, `"${tz}" is not a time zone. Names are those of the IANA list: "Europe/Berlin", "UTC".`);
  const fields = cron.trim().split(/\s+/).length;
  const wanted = seconds ? 6 : 5;
  if (fields !== wanted)
    throw wrongSchedule(
      id,
      `cron has ${fields} fields, and needs ${wanted}: ${seconds ? "second, " : ""}minute, hour, day, month, weekday.${fields === 6 ? " For a field of seconds, set seconds: true." : ""}`,
    );
  let pattern: Cron;
  try {
    pattern = new Cron(cron.trim(), { mode: seconds ? "6-part" : "5-part", timezone: tz, paused: true });
  } catch (error) {
    throw wrongSchedule(id, `cron is "${cron.slice(0, 80)}". ${(error as Error).message.replace(/^CronPattern: /, "")}`);
  }
  const times: Times = { after: (time) => pattern.nextRun(new Date(time))?.getTime() };
  const first = nextTimes(times, Date.UTC(2024, 0, 1), seconds ? 61 : 1);
  if (first.length === 0) throw wrongSchedule(id, `cron is "${cron.slice(0, 80)}", a day that does not exist.`);
  if (first.some((time, index) => index > 0 && time - first[index - 1]! < shortestMs)) throw tooOften(id);
  return times;
}

function isZone(tz: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: tz }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
