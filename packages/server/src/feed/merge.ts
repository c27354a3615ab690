/** Merges several iterators in the order of arrival. Each waits until its event was consumed; one that fails ends all. */
export async function* merge<Item>(sources: readonly AsyncIterable<Item>[]): AsyncGenerator<Item> {
  const ready: { readonly item: Item; readonly taken: () => void }[] = [];
  let wake = (): void => {};
  let left = sources.length;
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;

  async function pump(source: AsyncIterable<Item>): Promise<void> {
    try {
      for await (const item of source) {
        if (isOver) return;
        const taken = new Promise<void>((resolve) => ready.push({ item, taken: resolve }));
        wake();
        await taken;
        if (isOver) return;
      }
    } catch (error) {
      failure ??= { error };
    } finally {
      left -= 1;
      wake();
    }
  }

  for (const source of sources) void pump(source);
  try {
    for (;;) {
      const next = ready.shift();
      if (next !== undefined) {
        yield next.item;
        next.taken();
        continue;
      }
      if (failure !== undefined) throw failure.error;
      if (left === 0) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    isOver = true;
    for (const { taken } of ready.splice(0)) taken();
  }
}
