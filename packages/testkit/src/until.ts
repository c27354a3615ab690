import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits until the condition holds. Throws `what` after 10,000 times ten milliseconds, a little less than a test may take: what takes ten seconds
 * on an idle machine takes a minute on a busy one. What does not hold soon is looked at less often: a look at a store costs CPU time.
 */
export async function until(holds: () => unknown, what = "The condition did not become true.", mostLooks = 10_000): Promise<void> {
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
