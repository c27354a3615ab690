import { grow } from "./grow.ts";
import type { TermList } from "../words/vocabulary.ts";

/** The leading terms of each tool: those of its name, then those that begin its description. One tool after the other in one array. */
export interface LeadingTerms {
  readonly terms: Int32Array;
  /** Where the leading terms of a passage begin, where those of its description begin, and where they end. Examples have none. */
  startOf(passage: number): number;
  middleOf(passage: number): number;
  endOf(passage: number): number;
  /** Every passage must be added, in the order of the numbers. */
  add(passage: number, core: TermList, names: number): void;
  /** As in `Postings`; `terms` are the new numbers of terms. */
  compact(renumber: Int32Array, terms: Int32Array): void;
}

export function createLeadingTerms(): LeadingTerms {
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
        ends = grow(ends, passage * 2);
        names = grow(names, passage * 2);
      }
      const start = startOf(passage);
      const end = start + core.count;
      if (end > terms.length) terms = grow(terms, end * 2);
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
        // Numbers only get smaller, so nothing is overwritten before it is read.
        for (; from < to; from++) if (next >= 0) terms[end++] = numbers[terms[from]!]!;
        if (next < 0) continue;
        ends[next] = end;
        names[next] = names[passage]!;
      }
      terms = terms.slice(0, Math.max(256, end));
    },
  };
}
