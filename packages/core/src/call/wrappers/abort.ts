import type { ToolResult } from "../../tool/result.ts";
import type { Call, Wrapper } from "../wrapper.ts";
import { isReady } from "./_shared.ts";

/** Answers ABORTED at once when the caller cancels, also for a handler that does not listen. */
export const abortWrapper: Wrapper = {
  name: "abort",
  runsFor: "signal",
  run: (next) => (call) => {
    const { callerSignal } = call;
    if (callerSignal === undefined) return next(call);
    if (callerSignal.aborted) return cancelled(call);
    const result = next(call);
    return isReady(result) ? result : untilAborted(result, callerSignal, call);
  },
};

function untilAborted(result: Promise<ToolResult>, signal: AbortSignal, call: Call): Promise<ToolResult> {
  return new Promise((resolve) => {
    const abort = (): void => {
      call.cancel(signal.reason);
      resolve(cancelled(call));
    };
    signal.addEventListener("abort", abort, { once: true });
    void result.then((value) => {
      signal.removeEventListener("abort", abort);
      resolve(value);
    });
  });
}

function cancelled(call: Call): ToolResult {
  return call.fail("ABORTED", `The call of tool "${call.tool.name}" was cancelled by its caller.`);
}
