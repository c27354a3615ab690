import { pairOf, type EntryList, type Pairs } from "../tables/pairs.ts";
import type { Postings } from "../tables/postings.ts";
import type { QueryTerm } from "../query/query.ts";
import { tellRelatives, type RelativeListener } from "../query/relatives.ts";
import { countOpen, rarityOf, type Counter, type Passages } from "./scope.ts";
import type { Vocabulary } from "../words/vocabulary.ts";

/** Who says one thing that stands for a term, as entries of postings from `start` to `end`, and how much that counts. */
export interface Saying {
  readonly entries: Uint32Array;
  readonly start: number;
  readonly end: number;
  /** How many passages that may be found say it. */
  readonly count: number;
  readonly weight: number;
}

export type Sayings = readonly Saying[];

/** Looks up what stands for each term of a query. What is answered is good until the next query. */
export type Resolver = (terms: readonly QueryTerm[], passages: Passages) => readonly Sayings[];

export interface Lists {
  readonly vocabulary: Vocabulary;
  readonly postings: Postings;
  readonly pairs: Pairs;
  readonly countOf: Counter;
}

/** What nobody who may be found says does not count: neither for rarity nor for how words are taken apart. */
export function createResolver({ vocabulary, postings, pairs, countOf }: Lists): Resolver {
  const found: EntryList = { items: new Uint32Array(256), count: 0 };

  return (terms, passages) => {
    found.count = 0;
    let sayings: Saying[];
    /** A rare synonym does not make a common word rare. */
    let mostRarity: number | undefined;
    const add = (entries: Uint32Array, start: number, end: number, count: number, share: number, isItself: boolean): void => {
      const rarity = rarityOf(count, passages.tools) ** rarityPower;
      mostRarity ??= isItself ? rarity : Infinity;
      sayings.push({ entries, start, end, count, weight: share * Math.min(mostRarity, rarity) });
    };
    const listener: RelativeListener = {
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
      sayings = [];
      mostRarity = undefined;
      tellRelatives(term, knows, listener);
      return sayings;
    });
  };
}

/** Rare words matter more, but not in proportion. */
const rarityPower = 0.75;
