import { setTimeout as sleep } from "node:timers/promises";

/** Waits until the condition holds. Throws `what` after 20 seconds, which is far longer than anything here should take. */
export async function until(holds: () => unknown, what = "The condition did not become true within 20 seconds."): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(what);
    await sleep(10);
  }
}

/** Waits until the machine's clock shows so many milliseconds more, so that what follows is later than what was. */
export async function untilLater(ms = 1): Promise<void> {
  const then = Date.now() + ms;
  await until(() => Date.now() >= then);
}
