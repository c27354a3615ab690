import { type Clock, systemClock } from "@toolrack/core/node";

/** The system clock, with timers that do not keep the process alive. */
export const quietClock: Clock = {
  now: () => systemClock.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export function toIso(milliseconds: number): string {
  return new Date(Math.floor(milliseconds)).toISOString();
}
