import { type AbortWatcher, type AbortWatchers, watchersOf } from "../../util/abort-watchers.ts";
import { cancelled } from "../until-aborted.ts";
import type { Armed, Call, Waiting, Wrapper } from "../wrapper.ts";

/** Fails with ABORTED at once when the caller cancels, even if the handler ignores its signal. */
export const abortWrapper: Wrapper = {
  name: "abort",
  interrupt(call, waiting) {
    const { callerSignal } = call;
    if (callerSignal === undefined) return undefined;
    const abortion = new Abortion(call, waiting, callerSignal);
    if (!callerSignal.aborted) return abortion.arm();
    abortion.abort();
    return undefined;
  },
};

class Abortion implements AbortWatcher, Armed {
  before: AbortWatcher | undefined = undefined;
  after: AbortWatcher | undefined = undefined;
  waitsFor: AbortWatchers | undefined = undefined;
  next: Armed | undefined = undefined;
  readonly call: Call;
  readonly waiting: Waiting;
  readonly signal: AbortSignal;

  constructor(call: Call, waiting: Waiting, signal: AbortSignal) {
    this.call = call;
    this.waiting = waiting;
    this.signal = signal;
  }

  arm(): this {
    watchersOf(this.signal).add(this);
    return this;
  }

  abort(): void {
    this.call.cancel(this.signal.reason);
    this.waiting.end(cancelled(this.call));
  }

  disarm(): void {
    this.waitsFor?.remove(this);
  }
}
