import { show } from "../../schema/issues.ts";
import type { ToolResult } from "../../tool/result.ts";
import type { Deadline, Deadlines } from "../../util/deadlines.ts";
import type { Call, Wrapper } from "../wrapper.ts";
import { isReady } from "./_shared.ts";

/** Answers TIMEOUT when the time is over, also for a handler that never settles; the call's signal is aborted then. */
export function createTimeout(options: { readonly deadlines: Deadlines }): Wrapper {
  return {
    name: "timeout",
    runsFor: "deadline",
    run: (next) => (call) => {
      const { timeoutMs } = call;
      if (timeoutMs === undefined) return next(call);
      if (typeof timeoutMs !== "number" || !(timeoutMs >= 0)) return call.fail("CONFIG_INVALID", notMilliseconds(timeoutMs));
      const result = next(call);
      return isReady(result) ? result : untilDeadline(result, call, timeoutMs, options.deadlines);
    },
  };
}

function untilDeadline(result: Promise<ToolResult>, call: Call, timeoutMs: number, deadlines: Deadlines): Promise<ToolResult> {
  return new Promise((resolve) => {
    const deadline: Deadline = {
      expiresAt: 0,
      before: undefined,
      after: undefined,
      lane: undefined,
      expire() {
        call.cancel(new DOMException(`Timed out after ${timeoutMs} ms`, "TimeoutError"));
        resolve(
          call.fail("TIMEOUT", `Tool "${call.tool.name}" did not finish within ${timeoutMs} ms. Ask for less, or raise limits.timeoutMs.`, {
            retryable: true,
          }),
        );
      },
    };
    deadlines.add(deadline, timeoutMs);
    void result.then((value) => {
      deadlines.remove(deadline);
      resolve(value);
    });
  });
}

function notMilliseconds(timeoutMs: unknown): string {
  return `timeoutMs must be a number of milliseconds of at least 0, but it is ${show(timeoutMs)}.`;
}
