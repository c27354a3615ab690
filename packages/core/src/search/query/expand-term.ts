import type { QueryTerm } from "./query.ts";
import { stemOnce } from "../words/stem.ts";
import { relatedTo } from "../words/related-words.ts";
import { synonymsOf } from "../words/synonyms.ts";
import { weights } from "../weights.ts";

/** Receives what may replace a term of a query, with its share of the weight: a term, or two neighbouring terms. */
export interface ExpansionListener {
  term(term: string, share: number, isItself: boolean): void;
  pair(first: string, second: string, share: number, isItself: boolean): void;
}

/**
 * Reports the term itself, then synonyms, "github" for "git hub" and the reverse. `knows` says whether any tool contains a term: words that
 * no tool contains are replaced by words of the same subject, and split into words that exist.
 */
export function expandTerm({ word, term, pair }: QueryTerm, knows: (term: string) => boolean, listener: ExpansionListener): void {
  if (pair !== undefined) {
    listener.pair(pair[0], pair[1], 1, true);
    listener.term(stemOnce(word), joinedShare, false);
    return;
  }
  listener.term(term, 1, true);
  for (const other of synonymsOf(term)) listener.term(other, weights.synonym, false);
  if (word.length > longestWord || knows(term)) return;
  for (const related of relatedTo(term)) listener.term(related.term, weights.related * related.share, false);
  for (let cut = leastPart; cut <= word.length - leastPart; cut++) {
    const first = stemOnce(word.slice(0, cut));
    if (knows(first)) listener.pair(first, stemOnce(word.slice(cut)), 1, false);
  }
}

/** A pair has half the weight of a word; the two written as one word count as a whole word. */
const joinedShare = 2;
const leastPart = 3;
const longestWord = 40;
