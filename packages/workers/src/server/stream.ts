/** Values that arrive one by one, as a handler would yield them. */
export interface Stream {
  readonly items: AsyncIterable<unknown>;
  push(value: unknown): void;
  end(): void;
  fail(error: Error): void;
}

/** `onFirst` is called with the first value. */
export function createStream(onFirst: () => void): Stream {
  const values: unknown[] = [];
  let state: "open" | "ended" | Error = "open";
  let wake: (() => void) | undefined;
  let hasBegun = false;

  async function* read(): AsyncGenerator<unknown, void> {
    for (;;) {
      while (values.length > 0) yield values.shift();
      if (state instanceof Error) throw state;
      if (state === "ended") return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  return {
    items: { [Symbol.asyncIterator]: read },
    push(value) {
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
