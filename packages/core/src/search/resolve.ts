import { pairOf, type EntryList, type Pairs } from "./pairs.ts";
import type { Postings } from "./postings.ts";
import type { QueryTerm } from "./query.ts";
import { tellRelatives, type RelativeListener } from "./relatives.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The passages that are searched. */
export interface Passages {
  /** How many numbers have been given out. */
  readonly size: number;
  /** The first passage of the tool that a passage belongs to. */
  readonly owners: Int32Array;
  /** 1 where a passage may be found. */
  readonly open: Uint8Array;
  /** How many tools may be found, and whether those are all that the postings count. */
  readonly tools: number;
  readonly isAll: boolean;
  /** Whether any tool has more than one passage. */
  readonly hasExamples: boolean;
  /** What has been counted in these passages, where they are not all. */
  readonly counts: Map<number, number>;
}

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

/** How many of the passages that may be found say a term. */
export type Counter = (term: number, passages: Passages) => number;

export function createCounter(postings: Postings): Counter {
  return (term, passages) => {
    if (term < 0) return 0;
    if (passages.isAll) return postings.count(term);
    let count = passages.counts.get(term);
    if (count === undefined) {
      count = countOpen(postings.entries, postings.startOf(term), postings.endOf(term), passages);
      passages.counts.set(term, count);
    }
    return count;
  };
}

/** From near 0 for what all tools say. */
export function rarityOf(count: number, tools: number): number {
  return Math.log(1 + Math.max(0.5, tools - count + 0.5) / (count + 0.5));
}

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

function countOpen(entries: Uint32Array, start: number, end: number, { open }: Passages): number {
  let count = 0;
  for (let at = start; at < end; at++) count += open[entries[at]! >>> 8]!;
  return count;
}
