import { describe, expect, it, vi } from "vitest";
import { createResultHandles } from "../../../src/serve/long-results/result-handles.ts";

describe("a long result", () => {
  const handles = (more: object = {}) => {
    let count = 0;
    return createResultHandles({ pageLength: 10, maxLength: 100, makeId: (principal) => `${principal}-${++count}`, ...more });
  };

  it("is read page by page by its owner, and the last page has no next", () => {
    const { keep, read } = handles();
    expect(keep("ada", "0123456789abcdefghijKLM", "tell")).toEqual({ shown: "0123456789", uri: "toolrack://results/ada-1/2", pages: 3 });
    expect(read("ada", "ada-1", 1)).toEqual({ text: "0123456789", tool: "tell", next: "toolrack://results/ada-1/2" });
    expect(read("ada", "ada-1", 2)).toEqual({ text: "abcdefghij", tool: "tell", next: "toolrack://results/ada-1/3" });
    expect(read("ada", "ada-1", 3)).toEqual({ text: "KLM", tool: "tell" });
    for (const [principal, id, page] of [
      ["eve", "ada-1", 1],
      ["ada", "ada-2", 1],
      ["ada", "ada-1", 0],
      ["ada", "ada-1", 4],
    ] as const)
      expect(read(principal, id, page)).toBeUndefined();
  });

  it("is one that does not fit into a page, and that there is room for", () => {
    const { keep } = handles();
    expect(keep("ada", "x".repeat(10), "tell")).toBeUndefined();
    expect(keep("ada", "x".repeat(11), "tell")).toMatchObject({ pages: 2 });
    expect(keep("ada", "x".repeat(25), "tell")).toBeDefined();
    expect(keep("ada", "x".repeat(26), "tell")).toBeUndefined();
    expect(keep("ada", "x".repeat(20), "tell")).toMatchObject({ pages: 2 });
  });

  it("is never split inside of a character", () => {
    const { keep, read } = handles();
    keep("ada", `${"x".repeat(9)}😀${"y".repeat(9)}`, "tell");
    expect([1, 2].map((page) => read("ada", "ada-1", page)?.text)).toEqual(["x".repeat(9), `😀${"y".repeat(8)}`]);
  });

  it("goes when it is old, and a new one pushes out the oldest of the same owner first", () => {
    vi.useFakeTimers();
    try {
      const { keep, read } = handles({ maxAgeMs: 1_000 });
      const there = (...ids: string[]) => ids.map((id) => read(id.split("-")[0]!, id, 1) !== undefined);
      keep("bob", "b".repeat(20), "tell");
      keep("ada", "a".repeat(20), "tell");
      keep("ada", "a".repeat(20), "tell");
      expect(there("bob-1", "ada-2", "ada-3")).toEqual([true, false, true]);
      vi.advanceTimersByTime(999);
      expect(there("bob-1", "ada-3")).toEqual([true, true]);
      vi.advanceTimersByTime(1);
      expect(there("bob-1", "ada-3")).toEqual([false, false]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("makes room among those of all, the oldest first", () => {
    const { keep, read } = handles();
    for (const name of ["a", "b", "c", "d"]) keep(name, "x".repeat(25), "tell");
    keep("e", "x".repeat(20), "tell");
    expect(["a-1", "b-2", "c-3", "d-4", "e-5"].map((id) => read(id[0]!, id, 1) !== undefined)).toEqual([false, true, true, true, true]);
    keep("f", "x".repeat(11), "tell");
    expect(["b-2", "c-3", "f-6"].map((id) => read(id[0]!, id, 1) !== undefined)).toEqual([false, true, true]);
  });

  it("has a name that cannot be guessed, unless names are made elsewhere", () => {
    const { keep } = createResultHandles({ pageLength: 10 });
    const uris = [1, 2].map(() => keep("ada", "x".repeat(11), "tell")!.uri);
    expect(uris[0]).toMatch(/^toolrack:\/\/results\/[\w-]{24}\/2$/);
    expect(uris[1]).not.toBe(uris[0]);
  });
});
