import { type ErrorCode, errorStatus } from "../errors.ts";
import type { ToolFailure, ToolResult } from "../tool/result.ts";
import { pause } from "../util/until-aborted.ts";
import type { Call, Run } from "./wrapper.ts";

export interface RetrySettings {
  readonly attempts: number;
  readonly backoffMs: number;
  readonly maxWaitMs: number;
  readonly jitter: number;
  readonly random: () => number;
}

/** The first result, or that of a later attempt. `interrupted` makes the failure of a call that ended while it waited. */
export async function keepTrying(
  first: ToolResult | Promise<ToolResult>,
  { call, next, settings, interrupted }: { call: Call; next: Run; settings: RetrySettings; interrupted: () => ToolFailure },
): Promise<ToolResult> {
  let result = await first;
  while (mayRetry(result) && !call.signal.aborted) {
    const waitMs = waitAfter(result, call.attempts, settings);
    if (waitMs === undefined) break;
    if (!(await pause(call.clock, waitMs, call.signal))) return interrupted();
    call.attempts += 1;
    result = await next(call);
  }
  return result;
}

/** The wait before the next attempt; undefined: no further attempt. */
function waitAfter(failed: ToolFailure, attempt: number, settings: RetrySettings): number | undefined {
  const { attempts, backoffMs, maxWaitMs, jitter, random } = settings;
  const asked = failed.retryAfterMs ?? 0;
  if (attempt >= attempts || asked > maxWaitMs) return undefined;
  const backoff = Math.min(backoffMs * 2 ** (attempt - 1), maxWaitMs);
  return Math.max(backoff * (1 - jitter * random()), asked);
}

/** It is not known what a handler did before the database failed: the caller decides whether to repeat it. */
function mayRetry(result: ToolResult): result is ToolFailure {
  return !result.ok && result.retryable && !leftToCaller.has(result.code) && errorStatus[result.code] !== 400;
}

const leftToCaller: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["ABORTED", "STORE_UNAVAILABLE"]);
