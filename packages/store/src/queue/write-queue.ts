import { setImmediate as nextTurn } from "node:timers/promises";
import { StoreError } from "../errors.ts";

export interface WriteQueue<Item, Answer = void> {
  /** Settles with the batch that the item goes with. */
  add(item: Item): Promise<Answer>;
  /** Adds an item that nobody waits for. */
  leave(item: Item, onError: (error: unknown) => void): void;
  /** Settles when everything that was added before is over, whatever came of it. */
  settled(): Promise<void>;
  readonly waiting: number;
}

export interface WriteQueueOptions<Item, Answer> {
  /** How many items a batch has at most. @default 512 */
  readonly largest?: number;
  /** How many batches may be under way now. @default 1 */
  readonly atOnce?: () => number;
  /** What whoever added an item is told, once it was handed over. */
  readonly answerOf?: (item: Item) => Answer;
}

/**
 * Hands items that come in one turn of the event loop, or while enough batches are under way, over together, in their order. A batch that
 * fails is handed over once more item by item, so that one that cannot be written takes no other down; unless nothing can be written at the
 * moment.
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
      // An engine that answers at once would else get each item alone, and those whom a batch let go come back within the turn.
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

/** Nothing can be written at the moment; any other failure may be that of one item. */
export function isOutage(error: unknown): boolean {
  return StoreError.is(error) && error.code !== "STORE_FAILED";
}

type Entry<Item, Answer> = {
  readonly item: Item;
  readonly resolve: ((answer: Answer) => void) | undefined;
  readonly reject: (error: unknown) => void;
};
