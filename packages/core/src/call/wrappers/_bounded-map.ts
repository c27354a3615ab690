/** A map that forgets what has not been used for longest. No operation costs more for a fuller map. */
export interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  /** Never above the limit, which is at least 2. */
  readonly size: number;
}

/**
 * Two generations: what is used moves to the younger; when that is full, the older is dropped whole.
 * So at least the half of `limit` that was used last is always there.
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
