/** A bounded queue: if it is full, the oldest items are dropped and counted. */
export interface Recent<Item> extends AsyncIterable<Item> {
  push(item: Item): void;
  /** Items that were pushed before are still read. */
  end(): void;
}

export function createRecent<Item>(limit: number, toDropped: (count: number) => Item): Recent<Item> {
  const items: Item[] = [];
  let dropped = 0;
  let isOver = false;
  let wake = (): void => {};
  return {
    push(item) {
      items.push(item);
      if (items.length > limit) {
        items.shift();
        dropped += 1;
      }
      wake();
    },
    end() {
      isOver = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        if (dropped > 0) {
          const count = dropped;
          dropped = 0;
          yield toDropped(count);
        }
        const item = items.shift();
        if (item !== undefined) yield item;
        else if (isOver) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
