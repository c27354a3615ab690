import { grown } from "./grown.ts";
import type { TermList } from "../words/vocabulary.ts";

/** What each tool says first: the terms of its name, then those that begin its description. One after the other in one array. */
export interface Cores {
  readonly terms: Int32Array;
  /** Where the core of a passage begins, where its description does, and where it ends. Examples have none. */
  startOf(passage: number): number;
  middleOf(passage: number): number;
  endOf(passage: number): number;
  /** Passages come in the order of their numbers, each of them. */
  add(passage: number, core: TermList, names: number): void;
  /** As postings do it; `terms` are the new numbers of terms. */
  compact(renumber: Int32Array, terms: Int32Array): void;
}

export function createCores(): Cores {
  let terms = new Int32Array(256);
  let ends = new Int32Array(64);
  let names = new Uint8Array(64);

  const startOf = (passage: number): number => (passage === 0 ? 0 : ends[passage - 1]!);

  return {
    get terms() {
      return terms;
    },
    startOf,
    middleOf: (passage) => startOf(passage) + names[passage]!,
    endOf: (passage) => ends[passage]!,
    add(passage, core, count) {
      if (passage >= ends.length) {
        ends = grown(ends, passage * 2);
        names = grown(names, passage * 2);
      }
      const start = startOf(passage);
      const end = start + core.count;
      if (end > terms.length) terms = grown(terms, end * 2);
      terms.set(core.items.subarray(0, core.count), start);
      ends[passage] = end;
      names[passage] = count;
    },
    compact(renumber, numbers) {
      let end = 0;
      let from = 0;
      for (let passage = 0; passage < renumber.length; passage++) {
        const to = ends[passage]!;
        const next = renumber[passage]!;
        // Numbers only move down, so what is written here was read before.
        for (; from < to; from++) if (next >= 0) terms[end++] = numbers[terms[from]!]!;
        if (next < 0) continue;
        ends[next] = end;
        names[next] = names[passage]!;
      }
      terms = terms.slice(0, Math.max(256, end));
    },
  };
}
