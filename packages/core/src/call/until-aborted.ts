import { errorStatus, ToolError } from "../errors.ts";
import { describeThrown, type ToolFailure } from "../tool/result.ts";
import { onAbort } from "../util/abort-watchers.ts";
import type { Call } from "./wrapper.ts";

/** The awaited value, or the failure of the call as soon as it is cancelled. */
export function untilAborted<Value>(awaited: Promise<Value>, signal: AbortSignal, call: Call): Promise<Value | ToolFailure> {
  if (signal.aborted) return Promise.resolve(cancelled(call));
  return new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => {
      call.cancel(signal.reason);
      resolve(cancelled(call));
    });
    void awaited.then(resolve, reject).finally(leave);
  });
}

/**
 * The failure of a call whose signal was aborted. If the reason is a `ToolError`, it has its code and message; of any other reason the text
 * is included; without one, the caller cancelled it.
 */
export function cancelled(call: Call): ToolFailure {
  const reason: unknown = call.callerSignal?.reason;
  if (ToolError.is(reason) && Object.hasOwn(errorStatus, reason.code)) {
    const { code, retryable, retryAfterMs } = reason;
    const text = textOf(reason) ?? `The call of tool "${call.tool.name}" was ended with ${code}, without a reason.`;
    if (!retryable || !mayRepeat(call)) return call.fail(code, text);
    return call.fail(code, text, { retryable: true, ...(retryAfterMs !== undefined && { retryAfterMs }) });
  }
  const text = textOf(reason);
  return call.fail("ABORTED", `The call of tool "${call.tool.name}" was cancelled${text === undefined ? " by its caller." : `: ${text}`}`);
}

/** Repeating the call does nothing twice. */
function mayRepeat({ hasStarted, tool }: Call): boolean {
  const { readOnly, idempotent } = tool.metadata?.annotations ?? {};
  return hasStarted === false || readOnly === true || idempotent === true;
}

/** Undefined without a reason, and for the default reason of `abort()`. */
function textOf(reason: unknown): string | undefined {
  if (reason === undefined || reason === null) return undefined;
  const text = describeThrown(reason);
  if (text === unsaid) return undefined;
  return text.length > longestReason ? `${text.slice(0, longestReason)}…` : text;
}

const unsaid: string = (AbortSignal.abort().reason as Error).message;
const longestReason = 500;
