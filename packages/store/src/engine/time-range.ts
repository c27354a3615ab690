import type { AuditFilter } from "./audit.ts";
import type { Engine } from "./engine.ts";

export interface TimeRange extends Pick<AuditFilter, "from" | "to"> {
  /** Only lines below this number. */
  readonly before?: number;
}

/** The filter of a range of time, with the numbers between which its lines are: without them, the whole audit would be searched for a few lines. */
export async function inRange(
  engine: Pick<Engine, "firstNumberAt">,
  { from, to, before = highest }: TimeRange,
): Promise<{ readonly before: number; readonly filter: Pick<AuditFilter, "from" | "to" | "after"> }> {
  const end = to === undefined ? before : Math.min(before, await engine.firstNumberAt(toWhole(to) + clockSkewMs));
  return {
    before: end,
    filter: { ...(from !== undefined && { from, after: await numberBefore(engine, from) }), ...(to !== undefined && { to }) },
  };
}

/** A number below which all lines are older than this time. The clocks of servers differ a little, so lines may not be strictly ordered by time. */
export async function numberBefore(engine: Pick<Engine, "firstNumberAt">, at: number): Promise<number> {
  return (await engine.firstNumberAt(toWhole(at) - clockSkewMs)) - 1;
}

const highest = Number.MAX_SAFE_INTEGER;
const clockSkewMs = 300_000;

function toWhole(value: number): number {
  return Math.max(-highest, Math.min(highest, Math.floor(value)));
}
