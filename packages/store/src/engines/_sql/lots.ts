/**
 * A list in parts of 256, 128, 64 … items, so that statements for many rows come in few lengths and stay prepared.
 * 5 items → parts of 4 and 1
 */
export function* inLots<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  let size = 256;
  for (let start = 0; start < items.length; start += size) {
    while (size > items.length - start) size /= 2;
    yield items.slice(start, start + size);
  }
}
