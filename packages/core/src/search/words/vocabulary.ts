import { stopWords } from "./common-words.ts";
import { grow } from "../tables/grow.ts";
import { createWordBounds, findAsciiWords, splitUnicode } from "./split-words.ts";
import { stemOnce } from "./stem.ts";
import { createWordTable } from "./word-table.ts";

/**
 * Gives every term a number, from 0 up, and remembers which written words are which term, so that a text is read without cutting it
 * into strings.
 */
export interface Vocabulary {
  readonly size: number;
  /** The number of a term, or -1. */
  find(term: string): number;
  /** A hash of the letters of a term, independent of its number. */
  hashOf(term: number): number;
  /** Adds the terms of a text to a list, without stop words. New terms get a number. */
  read(text: string, into: TermList): void;
  /** Gives terms new numbers, from a list by old number; -1 removes a term. Their order must stay the same. */
  compact(renumber: Int32Array): void;
}

/** Numbers of terms, in the order of the text. Only the first `count` items are valid. */
export interface TermList {
  items: Int32Array;
  count: number;
}

export function createTermList(): TermList {
  return { items: new Int32Array(256), count: 0 };
}

export function createVocabulary(): Vocabulary {
  let terms = new Map<string, number>();
  let hashes = new Uint32Array(256);
  let words = createWordTable();
  const bounds = createWordBounds();

  function numberOf(term: string): number {
    let number = terms.get(term);
    if (number === undefined) {
      number = terms.size;
      terms.set(term, number);
      if (number === hashes.length) hashes = grow(hashes, number * 2);
      hashes[number] = hashOfText(term);
    }
    return number;
  }

  const termOf = (word: string): number => (stopWords.has(word) ? stopWord : numberOf(stemOnce(word)));

  return {
    get size() {
      return terms.size;
    },
    find: (term) => terms.get(term) ?? -1,
    hashOf: (term) => hashes[term]!,
    read(text, into) {
      const count = findAsciiWords(text, bounds);
      for (let word = 0; word < count; word++) {
        const term = words.termAt(text, bounds.starts[word]!, bounds.ends[word]!, termOf);
        if (term !== stopWord) push(into, term);
      }
      if (count >= 0) return;
      for (const word of splitUnicode(text)) {
        const term = termOf(word);
        if (term !== stopWord) push(into, term);
      }
    },
    compact(renumber) {
      const kept = new Map<string, number>();
      for (const [term, number] of terms) {
        const next = renumber[number] ?? -1;
        if (next < 0) continue;
        kept.set(term, next);
        hashes[next] = hashes[number]!;
      }
      terms = kept;
      hashes = hashes.slice(0, Math.max(256, kept.size));
      words = createWordTable();
    },
  };
}

const stopWord = -1;

export function push(list: TermList, term: number): void {
  if (list.count === list.items.length) list.items = grow(list.items, list.count * 2);
  list.items[list.count++] = term;
}

/** FNV-1a over the characters. */
function hashOfText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
