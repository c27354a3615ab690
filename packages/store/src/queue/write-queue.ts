import { setImmediate as nextTurn } from "node:timers/promises";
import { StoreError } from "../errors.ts";

export interface WriteQueue<Item, Answer = void> {
  /** Settles with the batch that contains the item. */
  add(item: Item): Promise<Answer>;
  /** Adds an item without waiting for it. */
  leave(item: Item, onError: (error: unknown) => void): void;
  /** Resolves when everything that was added before has settled. */
  settled(): Promise<void>;
  readonly waiting: number;
}

export interface WriteQueueOptions<Item, Answer> {
  /** The largest number of items in a batch. @default 512 */
  readonly largest?: number;
  /** How many batches may run at the same time. @default 1 */
  readonly atOnce?: () => number;
  /** What `add` resolves with after the item was flushed. */
  readonly answerOf?: (item: Item) => Answer;
}

/**
 * Flushes items together, in order: those of one turn of the event loop, and those that arrive while enough batches are running. A batch
 * that fails is retried item by item, so that one bad item does not fail the others, unless the store is down.
 */
export function createWriteQueue<Item, Answer = void>(
  flush: (items: readonly Item[]) => Promise<void>,
  { largest = 512, atOnce = () => 1, answerOf }: WriteQueueOptions<Item, Answer> = {},
): WriteQueue<Item, Answer> {
  let waiting: Entry<Item, Answer>[] = [];
  let running: Promise<void> | undefined;
  const underWay = new Set<Promise<void>>();

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      // Without this pause a fast engine would get each item alone; callers released by a batch come back within the same turn.
      await nextTurn();
      const all = waiting;
      waiting = [];
      for (let start = 0; start < all.length; start += largest) {
        const batch = handOver(all.slice(start, start + largest)).then(() => void underWay.delete(batch));
        underWay.add(batch);
        if (underWay.size >= atOnce()) await Promise.race(underWay);
      }
    }
    running = undefined;
  }

  async function handOver(batch: readonly Entry<Item, Answer>[]): Promise<void> {
    const error = await attempt(batch.map(({ item }) => item));
    const isOneAtFault = error !== undefined && batch.length > 1 && !isOutage(error);
    for (const { item, resolve, reject } of batch) {
      const own = isOneAtFault ? await attempt([item]) : error;
      if (own === undefined) resolve?.(answerOf?.(item) as Answer);
      else reject(own);
    }
  }

  const attempt = (items: readonly Item[]): Promise<unknown> =>
    flush(items).then(
      () => undefined,
      (reason: unknown) => reason ?? new Error("The batch failed."),
    );

  function enqueue(entry: Entry<Item, Answer>): void {
    waiting.push(entry);
    running ??= run();
  }

  return {
    add: (item) => new Promise((resolve, reject) => enqueue({ item, resolve, reject })),
    leave: (item, onError) => enqueue({ item, resolve: undefined, reject: onError }),
    async settled() {
      await running;
      await Promise.all(underWay);
    },
    get waiting() {
      return waiting.length;
    },
  };
}

/** Whether the store is down. Any other failure may be caused by one item. */
export function isOutage(error: unknown): boolean {
  return StoreError.is(error) && error.code !== "STORE_FAILED";
}

type Entry<Item, Answer> = {
  readonly item: Item;
  readonly resolve: ((answer: Answer) => void) | undefined;
  readonly reject: (error: unknown) => void;
};
