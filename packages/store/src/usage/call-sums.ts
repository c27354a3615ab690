import type { UsageCount } from "../engine/usage.ts";

/** Totals of calls. */
export interface CallSummary {
  readonly calls: number;
  readonly errors: number;
  /** Without the time that calls waited for people, to two significant digits. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
}

/** Adds up counts in any order. Its memory does not grow with the number of calls. */
export interface CallSums {
  add(count: UsageCount): void;
  summary(): CallSummary;
}

export function createCallSums(): CallSums {
  const durations = new Map<number, number>();
  let calls = 0;
  let errors = 0;
  let lastAt = 0;
  return {
    add(count) {
      calls += count.calls;
      errors += count.errors;
      lastAt = Math.max(lastAt, count.lastAt);
      durations.set(count.durationMs, (durations.get(count.durationMs) ?? 0) + count.calls);
    },
    summary() {
      const sorted = [...durations].sort(([a], [b]) => a - b);
      return { calls, errors, lastAt, p50Ms: atShare(sorted, calls, 0.5), p95Ms: atShare(sorted, calls, 0.95) };
    },
  };
}

function atShare(sorted: readonly (readonly [durationMs: number, calls: number])[], calls: number, share: number): number {
  let left = Math.ceil(calls * share);
  for (const [durationMs, count] of sorted) if ((left -= count) <= 0) return durationMs;
  return 0;
}
