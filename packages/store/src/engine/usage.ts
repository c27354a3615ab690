/** Which lines of the log are counted, and how they are grouped. */
export interface UsagePlan {
  readonly owner: string;
  readonly agent?: string;
  /** With `agent`: only its calls by one of these. */
  readonly principals?: readonly string[];
  readonly tool?: string;
  /** Milliseconds since 1970, a whole number: calls that were logged then or later … */
  readonly from: number;
  /** … and before this. */
  readonly to: number;
  /** How long a group is, in whole milliseconds; the first begins at `from`. */
  readonly bucketMs: number;
  /** Only lines above this number … */
  readonly after: number;
  /** … and below this one, the newest first. */
  readonly before: number;
  /** How many lines are looked at. */
  readonly lines: number;
}

/** The calls of one tool in one group that took about the same time and ended with the same code. */
export interface UsageCount {
  readonly tool: string;
  /** 0 for the group that begins at `from`. */
  readonly bucket: number;
  /** Rounded, see `roundDuration`. */
  readonly durationMs: number;
  /** The error code of calls that did not succeed; "" otherwise. */
  readonly code: string;
  readonly calls: number;
  /** Calls that did not succeed, for whatever reason. */
  readonly errors: number;
  readonly lastAt: number;
}

/** The sums of some lines. The lines themselves are not read, so the cost does not depend on how much was logged with each call. */
export interface UsagePart {
  readonly counts: readonly UsageCount[];
  /** How many lines were read; fewer than requested means that there are no more. */
  readonly lines: number;
  /** The lowest number that was looked at. */
  readonly lowest: number;
}

export interface UsageReads {
  /** Counts lines of the kind "call". Durations are rounded with `roundDuration`, so that the number of groups is small. */
  countCalls(plan: UsagePlan): Promise<UsagePart>;
  /** The number of the first line that is not older than this time; the next free number where all are older. Lines are ordered by time. */
  firstNumberAt(at: number): Promise<number>;
}

/** To two significant digits below a second and three above, so that the durations of any number of calls are a few hundred values. */
export function roundDuration(durationMs: number): number {
  const { scale } = durationScales.find(({ below }) => durationMs < below) ?? lastScale;
  return Math.round(durationMs * scale) / scale;
}

/** Durations below a limit are rounded to 1 / scale. */
export const durationScales: readonly { readonly below: number; readonly scale: number }[] = [
  { below: 1, scale: 100 },
  { below: 10, scale: 10 },
  { below: 1_000, scale: 1 },
  { below: 100_000, scale: 0.1 },
];

export const lastScale: { readonly scale: number } = { scale: 0.001 };
