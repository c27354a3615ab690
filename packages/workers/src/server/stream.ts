/** Values that arrive one by one, as a handler would yield them. */
export interface Stream {
  readonly items: AsyncIterable<unknown>;
  push(value: unknown): void;
  end(): void;
  fail(error: Error): void;
}

/** `onFirst` is called with the first value, `onLeft` when nobody reads any more: what comes then is not kept. */
export function createStream({ onFirst, onLeft }: { onFirst(): void; onLeft(): void }): Stream {
  const values: unknown[] = [];
  let state: "open" | "ended" | Error = "open";
  let wake: (() => void) | undefined;
  let hasBegun = false;
  let isLeft = false;

  async function* read(): AsyncGenerator<unknown, void> {
    try {
      for (;;) {
        while (values.length > 0) yield values.shift();
        if (state instanceof Error) throw state;
        if (state === "ended") return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      isLeft = true;
      values.length = 0;
      onLeft();
    }
  }

  return {
    items: { [Symbol.asyncIterator]: read },
    push(value) {
      if (isLeft) return;
      values.push(value);
      if (!hasBegun) onFirst();
      hasBegun = true;
      wake?.();
    },
    end() {
      if (state === "open") state = "ended";
      wake?.();
    },
    fail(error) {
      if (state === "open") state = error;
      wake?.();
    },
  };
}
