import type { Scored } from "../operations/fuse.ts";
import { queryStems, readWords } from "../operations/words.ts";
import type { Passage } from "./passages.ts";

/** A passage prepared for ranking. */
export interface IndexedPassage {
  readonly passage: Passage;
  /** Stem → number of occurrences; words of headings and names count half. */
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

export function indexPassage(passage: Passage, name: string): IndexedPassage {
  const counts = new Map<string, number>();
  let length = 0;
  for (const [text, weight] of [
    [passage.text, 2],
    [passage.heading, 1],
    [name, 1],
  ] as const) {
    for (const { stem, isTelling } of readWords(text)) {
      if (!isTelling) continue;
      counts.set(stem, (counts.get(stem) ?? 0) + weight);
      length += weight;
    }
  }
  return { passage, counts, length };
}

/** How well each passage answers a query, by BM25; those that share no word with it are left out. Cost: linear in the passages. */
export function rankByWords<Item extends { readonly indexed: IndexedPassage }>(
  query: string,
  items: readonly Item[],
): readonly Scored<Item>[] {
  const stems = queryStems(query, maxStems);
  const holding = stems.map((stem) => items.reduce((sum, { indexed }) => sum + (indexed.counts.has(stem) ? 1 : 0), 0));
  const average = items.reduce((sum, { indexed }) => sum + indexed.length, 0) / Math.max(1, items.length);
  const scored: Scored<Item>[] = [];
  for (const item of items) {
    const { counts, length } = item.indexed;
    let score = 0;
    stems.forEach((stem, index) => {
      const count = counts.get(stem);
      if (count === undefined) return;
      const rarity = Math.log(1 + (items.length - holding[index]! + 0.5) / (holding[index]! + 0.5));
      score += (rarity * count * (saturation + 1)) / (count + saturation * (1 - lengthShare + (lengthShare * length) / average));
    });
    if (score > 0) scored.push({ item, score });
  }
  return scored.sort((a, b) => b.score - a.score);
}

const maxStems = 32;
const saturation = 1.2;
// Passages are of much the same size by their making, so a short one is no better for being short.
const lengthShare = 0.2;
