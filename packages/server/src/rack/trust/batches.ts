import { setImmediate as nextTurn } from "node:timers/promises";

/** Few enough that a batch keeps the event loop, and other writers of the store, for tens of milliseconds. */
export const batchSize = 192;

/** The items in batches, at least one; the event loop turns before each but the first. */
export async function* inBatches<Item>(
  items: readonly Item[],
): AsyncGenerator<{ readonly items: readonly Item[]; readonly isLast: boolean }> {
  for (let start = 0; start === 0 || start < items.length; start += batchSize) {
    if (start > 0) await nextTurn();
    yield { items: items.slice(start, start + batchSize), isLast: start + batchSize >= items.length };
  }
}
