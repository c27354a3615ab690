import { grown } from "./grown.ts";

/** Which term a written word is, kept by its letters, whatever their case; open addressing. */
export interface WordTable {
  /** `termOf` is asked for words not met before. */
  termAt(text: string, start: number, end: number, termOf: (word: string) => number): number;
}

export function createWordTable(): WordTable {
  let slots = new Int32Array(1_024).fill(-1);
  let hashes = new Int32Array(512);
  let ends = new Int32Array(512);
  let terms = new Int32Array(512);
  let letters = new Uint8Array(4_096);
  let size = 0;

  function isSame(word: number, text: string, start: number, end: number): boolean {
    let at = word === 0 ? 0 : ends[word - 1]!;
    if (ends[word]! - at !== end - start) return false;
    for (let index = start; index < end; index++) if (letters[at++] !== lowered(text.charCodeAt(index))) return false;
    return true;
  }

  function keep(text: string, start: number, end: number, hash: number, term: number): void {
    if (size === hashes.length) widen();
    let at = size === 0 ? 0 : ends[size - 1]!;
    if (at + end - start > letters.length) letters = grown(letters, letters.length * 2);
    for (let index = start; index < end; index++) letters[at++] = lowered(text.charCodeAt(index));
    hashes[size] = hash;
    ends[size] = at;
    terms[size] = term;
    place(size++);
  }

  function place(word: number): void {
    let slot = hashes[word]! & (slots.length - 1);
    while (slots[slot] !== -1) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = word;
  }

  function widen(): void {
    hashes = grown(hashes, size * 2);
    ends = grown(ends, size * 2);
    terms = grown(terms, size * 2);
    slots = new Int32Array(size * 4).fill(-1);
    for (let word = 0; word < size; word++) place(word);
  }

  return {
    termAt(text, start, end, termOf) {
      if (end - start > longestKept) return termOf(text.slice(start, end).toLowerCase());
      let hash = seed;
      for (let index = start; index < end; index++) hash = Math.imul(hash ^ lowered(text.charCodeAt(index)), 0x01000193);
      hash ^= hash >>> 15;
      const mask = slots.length - 1;
      for (let slot = hash & mask; slots[slot] !== -1; slot = (slot + 1) & mask) {
        const word = slots[slot]!;
        if (hashes[word] === hash && isSame(word, text, start, end)) return terms[word]!;
      }
      const term = termOf(text.slice(start, end).toLowerCase());
      keep(text, start, end, hash, term);
      return term;
    },
  };
}

function lowered(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** Longer words are hardly ever met again. */
const longestKept = 32;

// Nobody outside can make words that fall into one slot.
const seed = Math.floor(Math.random() * 2 ** 32) | 0;
