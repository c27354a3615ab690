import { pairOf } from "./passages.ts";
import type { QueryTerm } from "./query.ts";
import { stem } from "./stem.ts";
import { synonymsOf } from "./synonyms.ts";

/** A term that tools may say instead of what was asked, and how much of the word's weight it carries. */
export interface Relative {
  readonly term: string;
  readonly share: number;
}

/**
 * The term itself, and what may stand for it: synonyms; "github" for "git hub" and the other way round. `knows` tells which terms any tool
 * says, so that words are only taken apart into words that exist.
 */
export function relativesOf({ word, term, isPair }: QueryTerm, knows: (term: string) => boolean): Relative[] {
  const itself = { term, share: 1 };
  if (isPair) {
    const joined = stem(word.replace(" ", ""));
    return knows(joined) ? [itself, { term: joined, share: joinedShare }] : [itself];
  }
  const relatives = [itself, ...synonymsOf(term).map((other) => ({ term: other, share: synonymShare }))];
  if (!knows(term)) for (const pair of pairsIn(word)) if (knows(pair)) relatives.push({ term: pair, share: 1 });
  return relatives;
}

const synonymShare = 0.4;
/** A pair weighs half of a word; what is written as one word is the whole of it. */
const joinedShare = 2;
const leastPart = 3;
const longestWord = 40;

function pairsIn(word: string): string[] {
  if (word.length > longestWord) return [];
  const pairs: string[] = [];
  for (let cut = leastPart; cut <= word.length - leastPart; cut++) pairs.push(pairOf(stem(word.slice(0, cut)), stem(word.slice(cut))));
  return pairs;
}
