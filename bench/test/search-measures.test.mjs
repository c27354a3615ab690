import { describe, expect, it } from "vitest";
import { averageOf, scoreSearch } from "../search/measures.mjs";

describe("the measures of a search", () => {
  it("count what is among the first, and all of it", () => {
    const queries = [{ query: "q", gold: ["a", "b"] }];
    const score = scoreSearch(queries, () => ["a", "x", "y", "z", "w", "b"]);
    expect(score).toMatchObject({ recall1: 0.5, recall5: 0.5, recall10: 1, completeness5: 0 });
    expect(score.ndcg10).toBeCloseTo((1 + 1 / Math.log2(7)) / (1 + 1 / Math.log2(3)));
  });

  it("take one of a group that is interchangeable, and count it once", () => {
    const queries = [{ query: "q", gold: ["a", "b", "c"], goldAny: [["a", "b"]] }];
    expect(scoreSearch(queries, () => ["b", "a", "c"])).toMatchObject({ recall1: 0.5, recall5: 1, completeness5: 1 });
    expect(scoreSearch(queries, () => ["c"]).recall5).toBe(0.5);
  });

  it("are averaged over sets, whatever their size", () => {
    expect(averageOf([{ recall5: 1 }, { recall5: 0.5 }])).toEqual({ recall5: 0.75 });
  });
});
