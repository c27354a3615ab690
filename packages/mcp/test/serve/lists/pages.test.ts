import { describe, expect, it, vi } from "vitest";
import { createPages } from "../../../src/serve/lists/pages.ts";
import { createResults } from "../../../src/serve/results.ts";

const stale = "The cursor belongs to no list, or the list has changed since. Start again without a cursor.";

function open(count: number, pageSize = 2) {
  const items = vi.fn((era: string) => Array.from({ length: count }, (_, index) => ({ era, index })));
  const results = createResults({ name: "test", version: "1" }, 5_000);
  const pages = createPages({ field: "things", items, scope: "public", pageSize, results });
  const read = (cursor?: unknown, era: "modern" | "legacy" = "legacy") => JSON.parse(pages.page(era, cursor).json);
  return { items, pages, read };
}

describe("a list in pages", () => {
  it("is read from its beginning to its end, each page once", () => {
    const { read } = open(5);
    const first = read();
    expect(first).toEqual({
      things: [
        { era: "legacy", index: 0 },
        { era: "legacy", index: 1 },
      ],
      nextCursor: expect.any(String),
    });
    const second = read(first.nextCursor);
    expect(second.things.map(({ index }: { index: number }) => index)).toEqual([2, 3]);
    expect(read(second.nextCursor)).toEqual({ things: [{ era: "legacy", index: 4 }] });
  });

  it("says on its last page, full or not, that there is no other", () => {
    for (const count of [0, 1, 2]) expect(Object.keys(open(count).read())).toEqual(["things"]);
    expect(Object.keys(open(3).read())).toEqual(["things", "nextCursor"]);
  });

  it("is written once for each era, and says in the modern one how long it holds", () => {
    const { read, items, pages } = open(1);
    for (let times = 0; times < 2; times++) for (const era of ["modern", "legacy"] as const) read(undefined, era);
    expect(items.mock.calls).toEqual([["modern"], ["legacy"]]);
    expect(pages.page("legacy", undefined)).toBe(pages.page("legacy", undefined));
    expect(read(undefined, "modern")).toMatchObject({ things: [{ era: "modern", index: 0 }], ttlMs: 5_000, cacheScope: "public" });
  });

  it("refuses a cursor that is none, or of another list", () => {
    const { read } = open(3);
    const { nextCursor } = read();
    const stamp = Buffer.from(nextCursor, "base64url").toString().split(".")[1];
    const cursor = (text: string): string => Buffer.from(text).toString("base64url");
    for (const wrong of [
      5,
      null,
      "",
      "x",
      cursor(`2.${stamp}x`),
      cursor(`-2.${stamp}`),
      cursor(`1234567890.${stamp}`),
      cursor(`.${stamp}`),
      cursor(`3.${stamp}`),
      open(4).read().nextCursor,
    ])
      expect(() => read(wrong), String(wrong)).toThrow(expect.objectContaining({ code: -32602, message: stale }));
    expect(read(cursor(`0.${stamp}`))).toEqual(read());
    expect(read(cursor(`1.${stamp}`)).things.map(({ index }: { index: number }) => index)).toEqual([1, 2]);
  });

  it("is read by every server that has the same one", () => {
    expect(open(3).read(open(3).read().nextCursor).things).toEqual([{ era: "legacy", index: 2 }]);
  });
});
