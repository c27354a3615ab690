import { cueTables, type PhraseNode } from "../words/compile.ts";
import { hashOfShort, hashOfStem } from "./word-hash.ts";

/** A word as it is read: in lower case, with what is known of it. */
export interface KnownWord {
  readonly word: string;
  readonly hash: number;
  readonly stem: number;
  /** What it means, and where phrases that begin with it continue. */
  readonly node: PhraseNode | undefined;
}

/** Longer words are cut: no rule knows one. */
const maxLetters = 80;
/** Words met before, by how they were written: the same few thousand stand in every text. */
const known = new Map<string, KnownWord>();
const limits = { words: 30_000, letters: 24 };

export function readWord(raw: string): KnownWord {
  const found = known.get(raw);
  if (found !== undefined) return found;
  const plain = plainWord(raw);
  const word = plain.length > maxLetters ? plain.slice(0, maxLetters) : plain;
  const read = { word, hash: hashOfShort(word), stem: hashOfStem(word), node: cueTables().phrases.get(plain) };
  if (raw.length > limits.letters) return read;
  if (known.size >= limits.words) known.clear();
  known.set(raw, read);
  return read;
}

/** "User's" → "user"; "Don’t" → "don't" */
function plainWord(raw: string): string {
  const lower = raw.toLowerCase();
  const word = lower.includes("’") ? lower.replaceAll("’", "'") : lower;
  return word.endsWith("'s") ? word.slice(0, -2) : word.endsWith("'") ? word.slice(0, -1) : word;
}
