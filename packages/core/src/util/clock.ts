import { performance } from "node:perf_hooks";

/** Time, handed in: tests move a clock by hand, nothing else in the library asks the machine for the time. */
export interface Clock {
  /** Milliseconds since 1970, with fractions, never going back. */
  now(): number;
  /** Runs `action` once after `delayMs`. */
  after(delayMs: number, action: () => void): CancelTimer;
}

/** Cancels a timer; may be called at any time. */
export interface CancelTimer {
  (): void;
  /** The timer goes on, but no longer keeps the process alive; `hold` takes that back. Cheaper than cancelling and setting again. */
  release?(): void;
  hold?(): void;
}

// Read once: both are getters, and every call asks for the time twice.
const origin = performance.timeOrigin;
const sinceOrigin = performance.now.bind(performance);

export const systemClock: Clock = {
  now: () => origin + sinceOrigin(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    return Object.assign(() => clearTimeout(timer), { release: () => void timer.unref(), hold: () => void timer.ref() });
  },
};
