/** Values in an order, each once. */
export interface Sorted<Value> {
  size(): number;
  add(value: Value): void;
  delete(value: Value): void;
  /** From the first one that does not come before `from`. */
  values(from?: Value): Iterable<Value>;
}

export function createSorted<Value>(compare: (a: Value, b: Value) => number): Sorted<Value> {
  const sorted: Value[] = [];

  /** Where the value is, or would be. */
  function placeOf(value: Value): number {
    // What is added is usually the last, and what is removed the first.
    if (sorted.length === 0 || compare(sorted[0]!, value) >= 0) return 0;
    if (compare(sorted.at(-1)!, value) < 0) return sorted.length;
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(sorted[middle]!, value) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    size: () => sorted.length,
    add(value) {
      const place = placeOf(value);
      if (place === sorted.length) sorted.push(value);
      else if (compare(sorted[place]!, value) === 0) sorted[place] = value;
      else sorted.splice(place, 0, value);
    },
    delete(value) {
      const place = placeOf(value);
      if (place >= sorted.length || compare(sorted[place]!, value) !== 0) return;
      if (place === 0) sorted.shift();
      else sorted.splice(place, 1);
    },
    *values(from) {
      for (let place = from === undefined ? 0 : placeOf(from); place < sorted.length; place++) yield sorted[place]!;
    },
  };
}
