import type { keepTrying } from "../../keep-trying.ts";
import type { Wrapper } from "../../wrapper.ts";
import { abortedFailure, isReady } from "../_shared.ts";
import { requireCount, requireMs } from "../../require-number.ts";
import { longestTimerMs } from "../../../util/longest-timer.ts";

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

  const settings = { attempts, backoffMs, maxWaitMs, jitter, random };

  return {
    name: "retry",
    appliesTo: () => attempts > 1,
    run: (next) => (call) => {
      call.attempts = 1;
      const first = next(call);
      if (isReady(first) && (first.ok || !first.retryable)) return first;
      const retried = { call, next, settings, interrupted: () => abortedFailure(call, "while it waited to be tried again") };
      if (keep !== undefined) return keep(first, retried);
      return import("../../keep-trying.ts").then((loaded) => (keep = loaded.keepTrying)(first, retried));
    },
  };
}

/** Loaded with the first call that may be tried again. */
let keep: typeof keepTrying | undefined;
