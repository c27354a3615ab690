import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits until the condition holds. Throws `what` after 5,000 times ten milliseconds, which is far more than anything here should need; it takes
 * longer on a machine that has no time for this process. What does not hold soon is looked at less often: a look at a store costs CPU time.
 */
export async function until(holds: () => unknown, what = "The condition did not become true.", mostLooks = 5_000): Promise<void> {
  for (let looks = 1; !(await holds());) {
    if (looks >= mostLooks) throw new Error(what);
    const turns = looks < 30 ? 1 : 4;
    await sleep(10 * turns);
    looks += turns;
  }
}

/** Waits until the machine's clock shows so many milliseconds more, so that what follows is later than what was. */
export async function untilLater(ms = 1): Promise<void> {
  const then = Date.now() + ms;
  await until(() => Date.now() >= then);
}
