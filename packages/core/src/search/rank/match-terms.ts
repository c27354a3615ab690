import { pairOf, type EntryList, type Pairs } from "../tables/pairs.ts";
import type { Postings } from "../tables/postings.ts";
import type { QueryTerm } from "../query/query.ts";
import { expandTerm, type ExpansionListener } from "../query/expand-term.ts";
import { countOpen, rarityOf, type Counter, type Passages } from "./scope.ts";
import type { Vocabulary } from "../words/vocabulary.ts";

/** The passages that match a term or one of its replacements, as entries of postings from `start` to `end`, and its weight. */
export interface TermMatch {
  readonly entries: Uint32Array;
  readonly start: number;
  readonly end: number;
  /** How many passages that may be found contain it. */
  readonly count: number;
  readonly weight: number;
}

export type TermMatches = readonly TermMatch[];

/** Looks up the matches of each term of a query. The answer is valid until the next query. */
export type TermMatcher = (terms: readonly QueryTerm[], passages: Passages) => readonly TermMatches[];

export interface Lists {
  readonly vocabulary: Vocabulary;
  readonly postings: Postings;
  readonly pairs: Pairs;
  readonly countOf: Counter;
}

/** Passages that may not be found do not count: neither for rarity nor for splitting words. */
export function createTermMatcher({ vocabulary, postings, pairs, countOf }: Lists): TermMatcher {
  const found: EntryList = { items: new Uint32Array(256), count: 0 };

  return (terms, passages) => {
    found.count = 0;
    let matches: TermMatch[];
    /** A rare synonym does not make a common word rare. */
    let mostRarity: number | undefined;
    const add = (entries: Uint32Array, start: number, end: number, count: number, share: number, isItself: boolean): void => {
      const rarity = rarityOf(count, passages.tools) ** rarityPower;
      mostRarity ??= isItself ? rarity : Infinity;
      matches.push({ entries, start, end, count, weight: share * Math.min(mostRarity, rarity) });
    };
    const listener: ExpansionListener = {
      term(term, share, isItself) {
        const number = vocabulary.find(term);
        const count = countOf(number, passages);
        if (count > 0) add(postings.entries, postings.startOf(number), postings.endOf(number), count, share, isItself);
      },
      pair(first, second, share, isItself) {
        const [one, other] = [vocabulary.find(first), vocabulary.find(second)];
        if (one < 0 || other < 0) return;
        const start = found.count;
        pairs.find(pairOf(vocabulary.hashOf(one), vocabulary.hashOf(other)), found);
        const count = countOpen(found.items, start, found.count, passages);
        if (count > 0) add(found.items, start, found.count, count, share, isItself);
      },
    };
    const knows = (term: string): boolean => countOf(vocabulary.find(term), passages) > 0;
    return terms.map((term) => {
      matches = [];
      mostRarity = undefined;
      expandTerm(term, knows, listener);
      return matches;
    });
  };
}

/** Rare words matter more, but not in proportion. */
const rarityPower = 0.75;
