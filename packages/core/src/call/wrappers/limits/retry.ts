import { type ErrorCode, errorStatus } from "../../../errors.ts";
import type { ToolFailure, ToolResult } from "../../../tool/result.ts";
import { pause } from "../../../util/until-aborted.ts";
import type { Call, Run, Wrapper } from "../../wrapper.ts";
import { abortedFailure, isReady } from "../_shared.ts";
import { requireCount, requireMs } from "../../require-number.ts";

export interface RetryOptions {
  /** The maximum number of attempts, including the first. */
  attempts: number;
  /** The wait before the second attempt; it doubles with each further one. A longer `retryAfterMs` of the failure is used instead. */
  backoffMs: number;
  /** The random part of each wait, from 0 to 1, so that callers do not retry all at once. @default 0.5 */
  jitter?: number;
  /** A failure that asks for a longer wait is not retried. @default 30_000 */
  maxWaitMs?: number;
  /** A number from 0 up to 1. @default Math.random */
  random?: () => number;
}

/** Retries failures that are retryable. Input errors are never retried. */
export function createRetry(options: RetryOptions): Wrapper {
  const attempts = requireCount("attempts", options.attempts);
  const backoffMs = requireMs("backoffMs", options.backoffMs);
  const maxWaitMs = Math.min(requireMs("maxWaitMs", options.maxWaitMs ?? 30_000), longestTimerMs);
  const jitter = Math.min(1, Math.max(0, options.jitter ?? 0.5));
  const random = options.random ?? Math.random;

  /** The wait before the next attempt; undefined: no further attempt. */
  const waitAfter = (failed: ToolFailure, attempt: number): number | undefined => {
    const asked = failed.retryAfterMs ?? 0;
    if (attempt >= attempts || asked > maxWaitMs) return undefined;
    const backoff = Math.min(backoffMs * 2 ** (attempt - 1), maxWaitMs);
    return Math.max(backoff * (1 - jitter * random()), asked);
  };

  const keepTrying = async (first: ToolResult | Promise<ToolResult>, call: Call, next: Run): Promise<ToolResult> => {
    let result = await first;
    while (mayRetry(result) && !call.signal.aborted) {
      const waitMs = waitAfter(result, call.attempts);
      if (waitMs === undefined) break;
      if (!(await pause(call.clock, waitMs, call.signal))) return abortedFailure(call, "while it waited to be tried again");
      call.attempts += 1;
      result = await next(call);
    }
    return result;
  };

  return {
    name: "retry",
    appliesTo: () => attempts > 1,
    run: (next) => (call) => {
      call.attempts = 1;
      const first = next(call);
      return isReady(first) && !mayRetry(first) ? first : keepTrying(first, call, next);
    },
  };
}

/** The maximum of timers; a longer one would fire at once. */
const longestTimerMs = 2_147_483_647;

/** It is not known what a handler did before the database failed: the caller decides whether to repeat it. */
function mayRetry(result: ToolResult): result is ToolFailure {
  return !result.ok && result.retryable && !leftToCaller.has(result.code) && errorStatus[result.code] !== 400;
}

const leftToCaller: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["ABORTED", "STORE_UNAVAILABLE"]);
