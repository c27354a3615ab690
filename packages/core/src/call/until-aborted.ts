import type { ToolFailure } from "../tool/result.ts";
import { onAbort } from "../util/abort-watchers.ts";
import type { Call } from "./wrapper.ts";

/** What a call waits for, or ABORTED as soon as its caller cancels. */
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

export function cancelled(call: Call): ToolFailure {
  return call.fail("ABORTED", `The call of tool "${call.tool.name}" was cancelled by its caller.`);
}
