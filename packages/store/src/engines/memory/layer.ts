/** Rows by key, or a draft of changes on top of such rows that `commit` applies to them. */
export interface Layer<Key, Row> {
  get(key: Key): Row | undefined;
  /** In the order in which their keys came first. */
  entries(): Iterable<readonly [key: Key, row: Row]>;
  values(): Iterable<Row>;
  /** Undefined removes it. */
  put(key: Key, row: Row | undefined): void;
  /** What was put here, with undefined for what was removed; without a base, the rows. */
  readonly own: ReadonlyMap<Key, Row | undefined>;
  commit(): void;
}

export function createLayer<Key, Row>(base?: Layer<Key, Row>): Layer<Key, Row> {
  const own = new Map<Key, Row | undefined>();
  const layer: Layer<Key, Row> = {
    own,
    get: (key) => (own.has(key) ? own.get(key) : base?.get(key)),
    *entries() {
      for (const [key] of base?.entries() ?? []) {
        const row = layer.get(key);
        if (row !== undefined) yield [key, row];
      }
      for (const [key, row] of own) if (row !== undefined && base?.get(key) === undefined) yield [key, row];
    },
    *values() {
      for (const [, row] of layer.entries()) yield row;
    },
    put(key, row) {
      // Only a draft has to remember what is gone.
      if (row === undefined && base === undefined) own.delete(key);
      else own.set(key, row);
    },
    commit() {
      for (const [key, row] of own) base?.put(key, row);
    },
  };
  return layer;
}
