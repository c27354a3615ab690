/**
 * Maps a written word to its term, ignoring case. Words are identified by a 64-bit hash instead of their letters: the chance that two of a
 * million words collide is about one in tens of millions.
 */
export interface WordTable {
  /** The term of the word from `start` to `end`, all ASCII. `termOf` is called for words that are new. */
  termAt(text: string, start: number, end: number, termOf: (word: string) => number): number;
}

export function createWordTable(): WordTable {
  // Open addressing; three numbers for each slot: both halves of the hash, and the term + 2, or 0 if the slot is empty.
  let slots = new Int32Array(3 * 1_024);
  let mask = 1_023;
  let size = 0;

  function widen(): void {
    const before = slots;
    slots = new Int32Array(before.length * 2);
    mask = mask * 2 + 1;
    for (let at = 0; at < before.length; at += 3) if (before[at + 2] !== 0) place(before[at]!, before[at + 1]!, before[at + 2]!);
  }

  function place(first: number, second: number, value: number): void {
    let slot = first & mask;
    while (slots[3 * slot + 2] !== 0) slot = (slot + 1) & mask;
    slots[3 * slot] = first;
    slots[3 * slot + 1] = second;
    slots[3 * slot + 2] = value;
  }

  return {
    termAt(text, start, end, termOf) {
      let first = firstSeed;
      let second = secondSeed;
      for (let index = start; index < end; index++) {
        const code = text.charCodeAt(index);
        const letter = code >= 65 && code <= 90 ? code + 32 : code;
        first = Math.imul(first ^ letter, 0x01000193);
        second = Math.imul(second ^ letter, 0x85ebca6b);
      }
      first ^= first >>> 15;
      for (let slot = first & mask; ; slot = (slot + 1) & mask) {
        const value = slots[3 * slot + 2]!;
        if (value === 0) break;
        if (slots[3 * slot] === first && slots[3 * slot + 1] === second) return value - 2;
      }
      const term = termOf(text.slice(start, end).toLowerCase());
      if (++size * 2 > mask) widen();
      place(first, second, term + 2);
      return term;
    },
  };
}

// The random seed keeps others from choosing words that collide.
const firstSeed = Math.floor(Math.random() * 2 ** 32) | 0;
const secondSeed = Math.floor(Math.random() * 2 ** 32) | 0;
