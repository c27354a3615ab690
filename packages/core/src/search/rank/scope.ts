import type { Postings } from "../tables/postings.ts";

/** The passages that are searched. */
export interface Passages {
  /** How many numbers have been given out. */
  readonly size: number;
  /** The first passage of the tool that a passage belongs to. */
  readonly owners: Int32Array;
  /** 1 for a passage that may be found. */
  readonly open: Uint8Array;
  /** How many tools may be found, and whether these are all tools of the index. */
  readonly tools: number;
  readonly isAll: boolean;
  /** Whether any tool has more than one passage. */
  readonly hasExamples: boolean;
  /** Counts for these passages so far, if they are not all passages. */
  readonly counts: Map<number, number>;
}

/** How many of the passages that may be found contain a term. */
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

/** Inverse document frequency: near 0 for a term that all tools contain. */
export function rarityOf(count: number, tools: number): number {
  return Math.log(1 + Math.max(0.5, tools - count + 0.5) / (count + 0.5));
}

/** How many of these entries belong to passages that may be found. */
export function countOpen(entries: Uint32Array, start: number, end: number, { open }: Passages): number {
  let count = 0;
  for (let at = start; at < end; at++) count += open[entries[at]! >>> 8]!;
  return count;
}
