/** Hands items that come while a batch is under way over together; each promise settles with its batch. */
export function createBatches<Item>(flush: (items: readonly Item[]) => Promise<void>, largest = 500): (item: Item) => Promise<void> {
  let waiting: { item: Item; settle(error?: unknown): void }[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, largest);
      waiting = waiting.slice(largest);
      const error = await flush(batch.map(({ item }) => item)).then(
        () => undefined,
        (reason: unknown) => reason ?? new Error("The batch failed."),
      );
      for (const { settle } of batch) settle(error);
    }
    isRunning = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, settle: (error) => (error === undefined ? resolve() : reject(error)) });
      if (!isRunning) void run();
    });
}
