import type { ErrorCode } from "@toolrack/core";
import type { UsageCount } from "../engine/usage.ts";

/** Totals of calls. Each counts in at most one of `errors`, `refused`, `invalid` and `denied`. */
export interface CallSummary {
  readonly calls: number;
  /** Calls that failed: the tool, or what it needs, did not do its work. */
  readonly errors: number;
  /** Calls that a rule, a limit or a missing approval kept from running. */
  readonly refused: number;
  /** Calls of an unknown tool, or with input that does not match its schema. */
  readonly invalid: number;
  /** Calls that a person denied. */
  readonly denied: number;
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
  const outcomes = { errors: 0, refused: 0, invalid: 0, denied: 0 };
  let lastAt = 0;
  return {
    add(count) {
      calls += count.calls;
      outcomes[outcomeOf(count.code)] += count.errors;
      lastAt = Math.max(lastAt, count.lastAt);
      durations.set(count.durationMs, (durations.get(count.durationMs) ?? 0) + count.calls);
    },
    summary() {
      const sorted = [...durations].sort(([a], [b]) => a - b);
      return { calls, ...outcomes, lastAt, p50Ms: atShare(sorted, calls, 0.5), p95Ms: atShare(sorted, calls, 0.95) };
    },
  };
}

function outcomeOf(code: string): "errors" | "refused" | "invalid" | "denied" {
  if (code === "APPROVAL_DENIED") return "denied";
  if (invalidCodes.has(code)) return "invalid";
  return refusedCodes.has(code) ? "refused" : "errors";
}

const invalidCodes: ReadonlySet<string> = new Set<ErrorCode>(["INPUT_INVALID", "TOOL_NOT_FOUND"]);
const refusedCodes: ReadonlySet<string> = new Set<ErrorCode>([
  "TOOL_NOT_ALLOWED",
  "TOOL_DISABLED",
  "TOOL_HELD",
  "PATH_OUTSIDE_WORKSPACE",
  "BLOCKED",
  "APPROVAL_REQUIRED",
  "ANSWER_UNAVAILABLE",
  "RATE_LIMITED",
  "BUDGET_EXCEEDED",
  "LOOP_DETECTED",
  "QUEUE_FULL",
  "DEPTH_EXCEEDED",
]);

function atShare(sorted: readonly (readonly [durationMs: number, calls: number])[], calls: number, share: number): number {
  let left = Math.ceil(calls * share);
  for (const [durationMs, count] of sorted) if ((left -= count) <= 0) return durationMs;
  return 0;
}
