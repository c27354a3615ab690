/** Numbers that look random and are the same each time: from 0 up to, and without, 1. */
export function createSequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e37_79b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296;
  };
}

export function pick<Item>(items: readonly Item[], next: () => number): Item {
  return items[Math.floor(next() * items.length)]!;
}
