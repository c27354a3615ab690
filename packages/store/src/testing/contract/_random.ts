/** Values chosen by chance, the same ones for the same seed. */
export interface Random {
  /** From `min` to `max`, both included. */
  integer(min: number, max: number): number;
  pick<Value>(values: readonly Value[]): Value;
  /** Some of them, in their order. */
  some<Value>(values: readonly Value[], least?: number, most?: number): Value[];
  list<Value>(length: number, make: () => Value): Value[];
}

export function createRandom(seed: number): Random {
  let state = seed;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    integer,
    pick: (values) => values[integer(0, values.length - 1)]!,
    some(values, least = 0, most = values.length) {
      const wanted = integer(least, Math.min(most, values.length));
      const left = [...values.keys()];
      while (left.length > wanted) left.splice(integer(0, left.length - 1), 1);
      return left.map((index) => values[index]!);
    },
    list: (length, make) => Array.from({ length }, make),
  };
}
