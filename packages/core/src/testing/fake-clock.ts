import type { Clock } from "../util/clock.ts";
import { loadLateParts } from "./_late-parts.ts";
import { nextTurn } from "../util/next-turn.ts";

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /** Moves time on, runs what falls due in its order, and lets promises settle after each step. */
  advance(ms: number): Promise<void>;
  /** Timers that were set and have neither run nor been cancelled. */
  readonly pending: number;
}

export function createFakeClock(startMs = 0): FakeClock {
  let time = startMs;
  const timers = new Set<Timer>();
  return {
    now: () => time,
    after(delayMs, action) {
      const timer = { dueAt: time + Math.max(0, delayMs), action };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const end = time + ms;
      await settle();
      for (let timer = earliest(timers, end); timer !== undefined; timer = earliest(timers, end)) {
        timers.delete(timer);
        time = timer.dueAt;
        timer.action();
        await settle();
      }
      time = end;
    },
    get pending() {
      return timers.size;
    },
  };
}

interface Timer {
  readonly dueAt: number;
  readonly action: () => void;
}

function earliest(timers: ReadonlySet<Timer>, end: number): Timer | undefined {
  let found: Timer | undefined;
  for (const timer of timers) if (timer.dueAt <= end && (found === undefined || timer.dueAt < found.dueAt)) found = timer;
  return found;
}

/** Every promise that can settle without time or input has settled when this resolves. */
export async function settle(): Promise<void> {
  await loadLateParts();
  await nextTurn();
}
