import { grow } from "./grow.ts";

/**
 * Which passages contain a term, and with which weight: for each term a list of numbers, passage and weight packed into one. All lists share
 * one array, because ten thousand small arrays would need more memory than their contents.
 * Passages are numbered upwards from 0. Removed passages stay in the lists until `compact`.
 */
export interface Postings {
  /** All lists; an entry is `passage * 256 + weight`, weight from 1 to 255. A change may replace the array. */
  readonly entries: Uint32Array;
  /** Where the list of a term begins and ends. */
  startOf(term: number): number;
  endOf(term: number): number;
  /** How many of the remaining passages contain the term. */
  count(term: number): number;
  add(term: number, passage: number, strength: number): void;
  /** Subtracts one passage from the count of a term. */
  drop(term: number): void;
  /**
   * Removes all passages whose entry in `renumber` is -1, and gives the others their new numbers; their order must stay the same. Returns the new
   * numbers of the terms, -1 for terms that no passage contains.
   */
  compact(renumber: Int32Array): Int32Array;
}

export function createPostings(): Postings {
  let entries = new Uint32Array(1_024);
  let used = 0;
  let starts = new Int32Array(256);
  let lengths = new Int32Array(256);
  let rooms = new Int32Array(256);
  let counts = new Int32Array(256);

  function fit(terms: number): void {
    starts = grow(starts, terms);
    lengths = grow(lengths, terms);
    rooms = grow(rooms, terms);
    counts = grow(counts, terms);
  }

  /** Moves a full list to the end and doubles its capacity. */
  function widen(term: number): void {
    const room = Math.max(2, rooms[term]! * 2);
    if (used + room > entries.length) entries = grow(entries, Math.max(entries.length * 2, used + room));
    entries.copyWithin(used, starts[term]!, starts[term]! + lengths[term]!);
    starts[term] = used;
    rooms[term] = room;
    used += room;
  }

  return {
    get entries() {
      return entries;
    },
    startOf: (term) => starts[term] ?? 0,
    endOf: (term) => (term < starts.length ? starts[term]! + lengths[term]! : 0),
    count: (term) => counts[term] ?? 0,
    add(term, passage, strength) {
      if (term >= starts.length) fit(Math.max(term + 1, starts.length * 2));
      if (lengths[term] === rooms[term]) widen(term);
      entries[starts[term]! + lengths[term]!++] = passage * 256 + strength;
      counts[term]!++;
    },
    drop(term) {
      if (term < counts.length && counts[term]! > 0) counts[term]!--;
    },
    compact(renumber) {
      const terms = new Int32Array(starts.length).fill(-1);
      const kept = new Uint32Array(lengths.reduce((sum, length) => sum + roomFor(length), 0));
      let next = 0;
      let nextTerm = 0;
      for (let term = 0; term < terms.length; term++) {
        const from = next;
        for (let at = starts[term]!, end = at + lengths[term]!; at < end; at++) {
          const passage = renumber[entries[at]! >>> 8]!;
          if (passage >= 0) kept[next++] = passage * 256 + (entries[at]! & 255);
        }
        if (next === from) continue;
        // Numbers only get smaller, so nothing is overwritten before it is read.
        terms[term] = nextTerm;
        starts[nextTerm] = from;
        lengths[nextTerm] = counts[nextTerm] = next - from;
        rooms[nextTerm] = roomFor(next - from);
        next = from + rooms[nextTerm++]!;
      }
      for (const values of [starts, lengths, rooms, counts]) values.fill(0, nextTerm);
      entries = new Uint32Array(Math.max(1_024, next + (next >> 3)));
      entries.set(kept.subarray(0, next));
      used = next;
      return terms;
    },
  };
}

/** Spare capacity, so that a few changes move no list. */
function roomFor(length: number): number {
  return length === 0 ? 0 : length + 1 + (length >> 4);
}
