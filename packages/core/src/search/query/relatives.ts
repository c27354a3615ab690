import type { QueryTerm } from "./query.ts";
import { stemOnce } from "../words/stem.ts";
import { synonymShare, synonymsOf } from "../words/synonyms.ts";

/** What may stand for a term of a query, and how much of its weight that carries: a term, or two that tools say side by side. */
export interface RelativeListener {
  term(term: string, share: number, isItself: boolean): void;
  pair(first: string, second: string, share: number, isItself: boolean): void;
}

/**
 * Tells the term itself, then synonyms; "github" for "git hub" and the other way round. `knows` tells which terms any tool says, so that
 * words are only taken apart into words that exist.
 */
export function tellRelatives({ word, term, pair }: QueryTerm, knows: (term: string) => boolean, listener: RelativeListener): void {
  if (pair !== undefined) {
    listener.pair(pair[0], pair[1], 1, true);
    listener.term(stemOnce(word), joinedShare, false);
    return;
  }
  listener.term(term, 1, true);
  for (const other of synonymsOf(term)) listener.term(other, synonymShare, false);
  if (word.length > longestWord || knows(term)) return;
  for (let cut = leastPart; cut <= word.length - leastPart; cut++) {
    const first = stemOnce(word.slice(0, cut));
    if (knows(first)) listener.pair(first, stemOnce(word.slice(cut)), 1, false);
  }
}

/** A pair weighs half of a word; what is written as one word is the whole of it. */
const joinedShare = 2;
const leastPart = 3;
const longestWord = 40;
