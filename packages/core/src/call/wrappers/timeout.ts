import type { Deadline, Deadlines } from "../../util/deadlines.ts";
import type { Wrapper } from "../wrapper.ts";

/** Answers TIMEOUT when the time is over, also for a handler that never settles; the call's signal is aborted then. */
export function createTimeout(options: { readonly deadlines: Deadlines }): Wrapper {
  const { deadlines } = options;
  return {
    name: "timeout",
    interrupt(call, end) {
      const { timeoutMs } = call;
      if (timeoutMs === undefined || timeoutMs === Number.POSITIVE_INFINITY) return undefined;
      const deadline: Deadline = {
        expiresAt: 0,
        before: undefined,
        after: undefined,
        lane: undefined,
        expire() {
          call.cancel(new DOMException(`Timed out after ${timeoutMs} ms`, "TimeoutError"));
          const error = `Tool "${call.tool.name}" did not finish within ${timeoutMs} ms. Ask for less, or raise limits.timeoutMs.`;
          end(call.fail("TIMEOUT", error, { retryable: true }));
        },
      };
      deadlines.add(deadline, timeoutMs);
      return () => deadlines.remove(deadline);
    },
  };
}
