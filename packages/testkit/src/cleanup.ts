const cleanUps: (() => unknown)[] = [];

/** Runs after the current test, whether it passed or not: the last one registered runs first, and each is awaited. */
export function afterThisTest(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp);
}

/** What the set-up of every test file does after each of its tests. */
export async function cleanUpAfterTest(): Promise<void> {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
}
