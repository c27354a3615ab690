/** Time, handed in: tests move a clock by hand, nothing else in the library asks the machine for the time. */
export interface Clock {
  /** Milliseconds since 1970, with fractions, never going back. */
  now(): number;
  /** Runs `action` once after `delayMs`; the returned function cancels it and may be called at any time. */
  after(delayMs: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};
