import type { Deadline, Deadlines, Lane } from "../../util/on-node/deadlines.ts";
import { timeoutReason, tookTooLong } from "../../tool/time-limit.ts";
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
  isDisarmed = false;
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

  /** What people took does not count. */
  expire(): void {
    const { call, timeoutMs, deadlines } = this;
    const waits = call.personWaits;
    if (waits?.isOpen) return waits.onEnd(() => this.isDisarmed || this.expire());
    const leftMs = waits === undefined ? 0 : call.runsSince + timeoutMs + waits.totalMs - call.clock.now();
    if (leftMs > 0) return deadlines.add(this, Math.ceil(leftMs));
    call.cancel(timeoutReason(timeoutMs));
    this.waiting.end(call.fail("TIMEOUT", tookTooLong(call.tool.name, timeoutMs), { retryable: true }));
  }

  disarm(): void {
    this.isDisarmed = true;
    this.deadlines.remove(this);
  }
}
