/** A map that drops the least recently used entries. All operations take constant time. */
export interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  /** Never above the limit, which is at least 2. */
  readonly size: number;
}

/**
 * Two generations: used entries move to the younger one; when it is full, the older one is dropped.
 * So at least the most recently used half of `limit` is always there.
 */
export function createBoundedMap<Value>(limit: number): BoundedMap<Value> {
  const perGeneration = Math.max(1, Math.floor(limit / 2));
  let younger = new Map<string, Value>();
  let older = new Map<string, Value>();
  const set = (key: string, value: Value): void => {
    if (younger.size >= perGeneration && !younger.has(key)) {
      older = younger;
      younger = new Map();
    }
    older.delete(key);
    younger.set(key, value);
  };
  return {
    get(key) {
      const value = younger.get(key);
      if (value !== undefined) return value;
      const old = older.get(key);
      if (old !== undefined) set(key, old);
      return old;
    },
    set,
    delete(key) {
      younger.delete(key);
      older.delete(key);
    },
    get size() {
      return younger.size + older.size;
    },
  };
}
