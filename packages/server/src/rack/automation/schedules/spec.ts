import { ToolError } from "@toolrack/core";
import { validateValue } from "@toolrack/json-schema";
import { isDate } from "@toolrack/json-schema/internal";
import type { JsonObject } from "@toolrack/store";
import { type MissedRule, type OverlapRule, scheduleSchema } from "../../../config/automation.ts";

/** When a tool is called, and what happens when a time was missed or the run before is not over. One of `at`, `every` and `cron`. */
export interface ScheduleSpec {
  readonly tool: string;
  readonly input?: JsonObject;
  /** Once: ISO 8601 with an offset, "2026-12-24T18:00:00+01:00". */
  readonly at?: string;
  /** Every so often, in milliseconds, counted from `from`. */
  readonly everyMs?: number;
  /** The first time of `everyMs`: ISO 8601 with an offset. @default when the schedule was made */
  readonly from?: string;
  /** Minute, hour, day, month, weekday: "0 7 * * 1-5". Needs `tz`. */
  readonly cron?: string;
  /** Whether `cron` has a field for seconds before the others. @default false */
  readonly seconds?: boolean;
  /** The time zone of `cron`: "Europe/Berlin", "UTC". */
  readonly tz?: string;
  /**
   * Times that passed while no server ran. "skip": none of them runs. "once": the latest one runs, within `graceMs`. "all": each one runs, at most
   * the latest 100. @default "once"
   */
  readonly missed?: MissedRule;
  /** How late a missed time may run with "once". @default one hour */
  readonly graceMs?: number;
  /** The run before is not over. "skip": this time is left out. "queue": it waits. "replace": the run before is cancelled. @default "skip" */
  readonly overlap?: OverlapRule;
  /** Each run begins up to so much later, so that many schedules do not begin at once. @default 0 */
  readonly jitterMs?: number;
  /** Why it exists, for people. */
  readonly description?: string;
}

/** The shortest time between two runs. */
export const shortestMs = 10_000;
export const defaultGraceMs = 3_600_000;

/** Checks what needs no time zone or calendar; `nextTimes` checks the rest. Throws CONFIG_INVALID, naming the schedule. */
export function readSpec(id: string, value: unknown): ScheduleSpec {
  const checked = validateValue(scheduleSchema, value);
  if (!checked.ok) throw wrongSchedule(id, checked.issues.map(({ message }) => message).join(" "));
  const spec = checked.value as ScheduleSpec;
  const kinds = [spec.at, spec.everyMs, spec.cron].filter((one) => one !== undefined).length;
  if (kinds !== 1) throw wrongSchedule(id, "It needs exactly one of at, everyMs and cron.");
  if (spec.cron !== undefined && spec.tz === undefined)
    throw wrongSchedule(id, 'cron needs tz, the time zone that its hours are in: "Europe/Berlin", or "UTC".');
  const alien = spec.cron === undefined ? (["tz", "seconds"] as const).find((key) => spec[key] !== undefined) : undefined;
  if (alien !== undefined) throw wrongSchedule(id, `${alien} belongs to cron. Leave it out.`);
  if (spec.from !== undefined && spec.everyMs === undefined) throw wrongSchedule(id, "from belongs to everyMs. Leave it out.");
  if (spec.everyMs !== undefined && spec.everyMs < shortestMs) throw tooOften(id);
  for (const key of ["at", "from"] as const) if (spec[key] !== undefined) readTime(id, key, spec[key]);
  return spec;
}

/** Milliseconds since 1970. A time without an offset would mean another moment on each server. */
export function readTime(id: string, key: string, text: string): number {
  const at = isoTime.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw wrongSchedule(id, `${key} is "${text.slice(0, 40)}". Write a time with its offset: "2026-12-24T18:00:00+01:00", or with Z.`);
  // "2027-02-30" would be read as 2 March.
  if (!isDate(text.slice(0, 10))) throw wrongSchedule(id, `${key} is "${text}", a day that does not exist. Choose another one.`);
  return at;
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

export function wrongSchedule(id: string, fact: string): ToolError {
  return new ToolError("CONFIG_INVALID", `The schedule "${id}" is wrong: ${fact}`);
}

export function tooOften(id: string): ToolError {
  return wrongSchedule(
    id,
    `It would run more often than every ${shortestMs / 1_000} seconds. Use a longer time, or a trigger for what happens.`,
  );
}
