import fc from "fast-check";
import { expect, it } from "vitest";
import { createTopItems } from "../../../src/search/rank/top-items.ts";

it("the best are the first of all in order, however few or many are wanted", () => {
  const scored = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 300 });
  fc.assert(
    fc.property(scored, fc.constantFrom(0, 1, 3, 99, 100, 101, Infinity), (scores, limit) => {
      const best = createTopItems(limit, (a, b) => a - b);
      for (const [item, score] of scores.entries()) if (score >= best.least) best.offer(item, score);
      const all = scores.map((score, item) => ({ item, score })).sort((a, b) => b.score - a.score || a.item - b.item);
      const { items, scores: ranked } = best.inOrder();
      expect(Array.from(items, (item, at) => ({ item, score: ranked[at] }))).toEqual(all.slice(0, limit));
    }),
    { numRuns: 80 },
  );
});
