import { readReturned } from "../tool/read-returned.ts";
import { toFailure, type ToolResult } from "../tool/result.ts";
import type { CallState } from "./context.ts";
import type { Call, Run } from "./wrapper.ts";

/** The innermost run: the handler itself. Whatever it returns or throws becomes a result. */
export const callHandler: Run = (call: Call): ToolResult | Promise<ToolResult> => {
  const state = call as CallState;
  const started = startHandler(state);
  if (!state.awaitsHandler) return started;
  state.awaitsHandler = false;
  return (started as Promise<unknown>).then(
    (value) => settleHandler(state, value),
    (thrown: unknown) => failHandler(state, thrown),
  );
};

/**
 * Starts the handler if the call is still permitted. Its own promise is returned as it is, marked by `awaitsHandler`: whoever awaits it creates the
 * result with `settleHandler` or `failHandler`. One promise less saves a third of the cost of a call.
 */
export function startHandler(call: CallState): ToolResult | Promise<ToolResult> {
  try {
    call.refusal = call.recheck();
    if (call.refusal !== undefined) return call.refusal;
    call.hasStarted = true;
    const returned: unknown = call.tool.handler(call.input, call);
    if (!isThenable(returned)) return readReturned(returned, call);
    call.awaitsHandler = true;
    return (isPlainPromise(returned) ? returned : adopt(returned)) as Promise<ToolResult>;
  } catch (thrown) {
    return failHandler(call, thrown);
  }
}

export function settleHandler(call: CallState, value: unknown): ToolResult | Promise<ToolResult> {
  call.awaitsHandler = false;
  return readReturned(value, call);
}

export function failHandler(call: CallState, thrown: unknown): ToolResult {
  call.awaitsHandler = false;
  call.noteThrown(thrown);
  return toFailure(thrown, call.meta());
}

/** An unmodified promise: it can be distinguished from a result, and its `then` is the standard one. */
function isPlainPromise(value: PromiseLike<unknown>): boolean {
  return value.then === Promise.prototype.then && value.constructor === Promise && (value as { ok?: unknown }).ok === undefined;
}

/** A standard promise instead of one with its own behaviour. */
function adopt(value: PromiseLike<unknown>): Promise<unknown> {
  return new Promise((resolve) => resolve(value));
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}
