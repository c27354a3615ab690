import type { Deadline, Deadlines, Lane } from "../../util/deadlines.ts";
import type { Armed, Call, Waiting, Wrapper } from "../wrapper.ts";

/** Fails with TIMEOUT when the time is over, even if the handler never settles; the call's signal is then aborted. */
export function createTimeout(options: { readonly deadlines: Deadlines }): Wrapper {
  const { deadlines } = options;
  return {
    name: "timeout",
    interrupt(call, waiting) {
      const { timeoutMs } = call;
      if (timeoutMs === undefined || timeoutMs === Number.POSITIVE_INFINITY) return undefined;
      return new CallDeadline(call, waiting, timeoutMs, deadlines);
    },
  };
}

class CallDeadline implements Deadline, Armed {
  expiresAt = 0;
  before: Deadline | undefined = undefined;
  after: Deadline | undefined = undefined;
  lane: Lane | undefined = undefined;
  next: Armed | undefined = undefined;
  readonly call: Call;
  readonly waiting: Waiting;
  readonly timeoutMs: number;
  readonly deadlines: Deadlines;

  constructor(call: Call, waiting: Waiting, timeoutMs: number, deadlines: Deadlines) {
    this.call = call;
    this.waiting = waiting;
    this.timeoutMs = timeoutMs;
    this.deadlines = deadlines;
    deadlines.add(this, timeoutMs, call.runsSince);
  }

  expire(): void {
    const { call, timeoutMs } = this;
    call.cancel(new DOMException(`Timed out after ${timeoutMs} ms`, "TimeoutError"));
    const error = `Tool "${call.tool.name}" did not finish within ${timeoutMs} ms. Ask for less, or raise limits.timeoutMs.`;
    this.waiting.end(call.fail("TIMEOUT", error, { retryable: true }));
  }

  disarm(): void {
    this.deadlines.remove(this);
  }
}
