import { type ErrorCode, errorStatus } from "../../errors.ts";
import type { ToolFailure, ToolResult } from "../../tool/result.ts";
import { pause } from "../../util/until-aborted.ts";
import type { Call, Run, Wrapper } from "../wrapper.ts";
import { abortedFailure, isReady, requireCount, requireMs } from "./_shared.ts";

export interface RetryOptions {
  /** How often the handler is started at most, the first time included. */
  attempts: number;
  /** The wait before the second attempt; it doubles with each further one. A failure's `retryAfterMs` counts instead, if longer. */
  backoffMs: number;
  /** Which part of each wait is left to chance, from 0 to 1, so that callers do not come back all at once. @default 0.5 */
  jitter?: number;
  /** A tool that asks for a longer wait than this is not tried again. @default 30_000 */
  maxWaitMs?: number;
  /** A number from 0 up to 1. @default Math.random */
  random?: () => number;
}

/** Tries again what failed and calls itself retryable. An input error stays one, however often it is tried. */
export function createRetry(options: RetryOptions): Wrapper {
  const attempts = requireCount("attempts", options.attempts);
  const backoffMs = requireMs("backoffMs", options.backoffMs);
  const maxWaitMs = Math.min(requireMs("maxWaitMs", options.maxWaitMs ?? 30_000), longestTimerMs);
  const jitter = Math.min(1, Math.max(0, options.jitter ?? 0.5));
  const random = options.random ?? Math.random;

  /** How long to wait before the next attempt; undefined means that there is none. */
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

/** What timers can hold; a longer one would run at once. */
const longestTimerMs = 2_147_483_647;

/** What a handler did before the database went away is not known: whether it may be done again, the caller has to say. */
function mayRetry(result: ToolResult): result is ToolFailure {
  return !result.ok && result.retryable && !leftToCaller.has(result.code) && errorStatus[result.code] !== 400;
}

const leftToCaller: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["ABORTED", "STORE_UNAVAILABLE"]);
