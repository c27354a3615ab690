import { createHash } from "node:crypto";
import { defaultGraceMs, type ScheduleSpec } from "./spec.ts";
import type { Times } from "./times.ts";

/** What a schedule does now. */
export interface Due {
  /** The due times that run, the oldest first. */
  readonly run: readonly number[];
  /** The due times that are left out because they were missed; of a long outage, the latest ones. */
  readonly missed: readonly number[];
  /** The next time; undefined if there is none. */
  readonly next: number | undefined;
}

/** How late a server may notice a time, and still be in time. */
const inTimeMs = 60_000;
const mostRuns = 100;

/** Decides over the times from `nextAt` until now. At most 100 runs, however long no server ran. */
export function dueNow(spec: ScheduleSpec, times: Times, nextAt: number, now: number): Due {
  const passed = passedTimes(times, nextAt, now);
  const { missed = "once", graceMs = defaultGraceMs } = spec;
  const limitMs = missed === "once" ? Math.max(graceMs, inTimeMs) : inTimeMs;
  const runs = missed === "all" ? passed : passed.slice(-1).filter((time) => now - time <= limitMs);
  return { run: runs, missed: passed.filter((time) => !runs.includes(time)), next: times.after(Math.max(now, nextAt - 1)) };
}

/** The latest times that passed. Looks back in steps that double, so that a year without a server costs little. */
function passedTimes(times: Times, nextAt: number, now: number): readonly number[] {
  for (let backMs = inTimeMs; ; backMs *= 2) {
    const from = Math.max(nextAt - 1, now - backMs);
    const found: number[] = [];
    for (let time = times.after(from); time !== undefined && time <= now; time = times.after(time)) found.push(time);
    if (found.length >= mostRuns || from === nextAt - 1) return found.slice(-mostRuns);
  }
}

/** The delay of one run, the same on every server. */
export function jitterOf(id: string, due: number, jitterMs: number): number {
  if (jitterMs === 0) return 0;
  return createHash("sha256").update(`${id} ${due}`).digest().readUInt32BE(0) % (jitterMs + 1);
}
