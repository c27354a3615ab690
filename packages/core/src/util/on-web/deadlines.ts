import type { CancelTimer, Clock } from "../clock.ts";
import type { Deadline, Deadlines } from "../on-node/deadlines.ts";
import { longestTimerMs } from "../longest-timer.ts";

/**
 * One timer for each deadline. The timers of a worker end with the request that set them, so the calls of two requests cannot share one. A
 * browser has few calls at a time.
 */
export function createDeadlines(clock: Clock): Deadlines {
  const timers = new Map<Deadline, CancelTimer>();

  function wait(deadline: Deadline): void {
    const leftMs = deadline.expiresAt - clock.now();
    if (leftMs === Number.POSITIVE_INFINITY) return;
    timers.set(
      deadline,
      clock.after(Math.min(Math.max(leftMs, 0), longestTimerMs), () => {
        timers.delete(deadline);
        if (leftMs > longestTimerMs) wait(deadline);
        else deadline.expire();
      }),
    );
  }

  return {
    add(deadline, durationMs, since = clock.now()) {
      deadline.expiresAt = since + durationMs;
      wait(deadline);
    },
    remove(deadline) {
      timers.get(deadline)?.();
      timers.delete(deadline);
    },
  };
}
