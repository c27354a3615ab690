import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits until the condition holds. Throws `what` after 5,000 looks, which is far more than anything here should need: they take 50 seconds, and
 * longer on a machine that has no time for this process.
 */
export async function until(holds: () => unknown, what = "The condition did not become true.", mostLooks = 5_000): Promise<void> {
  for (let looks = 1; !(await holds()); looks++) {
    if (looks === mostLooks) throw new Error(what);
    await sleep(10);
  }
}

/** Waits until the machine's clock shows so many milliseconds more, so that what follows is later than what was. */
export async function untilLater(ms = 1): Promise<void> {
  const then = Date.now() + ms;
  await until(() => Date.now() >= then);
}
