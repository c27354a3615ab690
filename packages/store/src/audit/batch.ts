import { setImmediate as nextTurn } from "node:timers/promises";
import { StoreError } from "../errors.ts";

export interface Batches<Item> {
  /** Settles with the batch that the item goes with. */
  add(item: Item): Promise<void>;
  /** Settles when everything that was added before is over, whatever came of it. */
  settled(): Promise<void>;
  readonly waiting: number;
}

/**
 * Hands items that come in one turn of the event loop, or while a batch is under way, over together, in their order. A batch that fails is handed over once more item by
 * item, so that one that cannot be written takes no other down; unless nothing can be written at the moment.
 */
export function createBatches<Item>(flush: (items: readonly Item[]) => Promise<void>, largest = 512): Batches<Item> {
  let waiting: { item: Item; settle(error?: unknown): void }[] = [];
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      // An engine that answers at once would else get each item alone, and those whom a batch let go come back within the turn.
      await nextTurn();
      const batch = waiting.slice(0, largest);
      waiting = waiting.slice(largest);
      const error = await attempt(batch.map(({ item }) => item));
      const isOneAtFault = error !== undefined && batch.length > 1 && !StoreError.is(error);
      for (const { item, settle } of batch) settle(isOneAtFault ? await attempt([item]) : error);
    }
    running = undefined;
  }

  const attempt = (items: readonly Item[]): Promise<unknown> =>
    flush(items).then(
      () => undefined,
      (reason: unknown) => reason ?? new Error("The batch failed."),
    );

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, settle: (error) => (error === undefined ? resolve() : reject(error)) });
        running ??= run();
      }),
    settled: async () => running,
    get waiting() {
      return waiting.length;
    },
  };
}
