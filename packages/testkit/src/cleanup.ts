import { afterEach } from "vitest";

const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Runs after the current test, whether it passed or not: the last one registered runs first, and each is awaited. */
export function afterThisTest(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp);
}
