/** Time as a parameter: tests set a clock themselves, and nothing else in the library reads the time of the machine. */
export interface Clock {
  /** Milliseconds since 1970, with fractions, never going back. */
  now(): number;
  /** Runs `action` once after `delayMs`. */
  after(delayMs: number, action: () => void): CancelTimer;
}

/** Cancels a timer; may be called at any time. */
export interface CancelTimer {
  (): void;
  /** The timer continues, but no longer keeps the process alive; `hold` reverses that. Cheaper than cancelling and setting again. */
  release?(): void;
  hold?(): void;
}

// Read once, on the first call: both are getters, and loading what is behind them costs milliseconds.
let origin = 0;
let sinceOrigin: (() => number) | undefined;

function startClock(): () => number {
  origin = performance.timeOrigin;
  return (sinceOrigin = performance.now.bind(performance));
}

export const systemClock: Clock = {
  now() {
    const since = (sinceOrigin ?? startClock())();
    return origin + since;
  },
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    const cancel = (): void => clearTimeout(timer);
    // In browsers and workers a timer is a number: there is no process that it could keep alive.
    return typeof timer === "object" ? Object.assign(cancel, { release: () => void timer.unref(), hold: () => void timer.ref() }) : cancel;
  },
};
