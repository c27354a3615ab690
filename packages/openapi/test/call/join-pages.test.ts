import { describe, expect, it } from "vitest";
import { joinPages } from "../../src/call/join-pages.ts";

describe("pages that are joined", () => {
  it("are lists, or objects with a list of a usual name or with only one", () => {
    for (const [first, second, all] of [
      [[1], [2], [1, 2]],
      [
        { items: [1], tags: [9] },
        { items: [2], tags: [8] },
        { items: [1, 2], tags: [8] },
      ],
      [
        { books: [1], next: "a" },
        { books: [2], next: "b" },
        { books: [1, 2], next: "b" },
      ],
    ] as const) {
      const joined = joinPages(first);
      expect(joined.add(second)).toBe(true);
      expect(joined.data()).toEqual(all);
    }
  });

  it("are not those where nobody knows which list has the items", () => {
    for (const page of [{ books: [1], films: [2] }, { books: 1 }, "text", null]) {
      const joined = joinPages(page);
      expect(joined.add(page)).toBe(false);
      expect(joined.data()).toEqual(page);
    }
  });
});
