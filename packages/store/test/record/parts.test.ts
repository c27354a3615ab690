import { describe, expect, it } from "vitest";
import type { Breadcrumb } from "../../src/record/breadcrumb.ts";
import { inOwnNames } from "../../src/record/definition-names.ts";
import { diffRecords } from "../../src/record/diff.ts";
import { readTag, readTags } from "../../src/record/tags.ts";
import { expiryOf, readTtl } from "../../src/record/ttl.ts";

describe("a time to live", () => {
  it("is a time, a span, a number of reads, or several of them", () => {
    for (const ttl of [{ at: "2030-01-01T00:00:00Z" }, { at: "2030-01-01T00:00:00+02:00" }, { afterMs: 1 }, { reads: 1, afterMs: 5 }]) {
      expect(readTtl(ttl)).toEqual(ttl);
      expect(Object.isFrozen(readTtl(ttl))).toBe(true);
    }
    expect(readTtl(undefined)).toBeUndefined();
  });

  it.each<[ttl: unknown, message: string]>([
    [{}, "ttl must be an object of at, afterMs, reads."],
    [5, "ttl must be an object of at, afterMs, reads."],
    [null, "ttl must be an object of at, afterMs, reads."],
    [{ at: 5 }, 'ttl.at must be a time with its zone, such as "2030-01-01T00:00:00Z".'],
    [{ at: "2030-01-01T00:00:00" }, "ttl.at must be a time with its zone"],
    [{ at: "2030-99-01T00:00:00Z" }, "ttl.at must be a time with its zone"],
    [{ afterMs: 0 }, "ttl.afterMs must be a whole number above 0."],
    [{ reads: 1.5 }, "ttl.reads must be a whole number above 0."],
    [{ reads: "1" }, "ttl.reads must be a whole number above 0."],
    [{ ["x".repeat(50)]: 1 }, `ttl.${"x".repeat(40)} is not known. Known are at, afterMs, reads.`],
  ])("is refused otherwise: %j", (ttl, message) => {
    expect(() => readTtl(ttl)).toThrow(expect.objectContaining({ code: "RECORD_INVALID", message: expect.stringContaining(message) }));
  });

  it("ends at the earlier of its times", () => {
    const at = "2030-01-01T00:00:00Z";
    expect([expiryOf(undefined, 5), expiryOf({ reads: 1 }, 5)]).toEqual([undefined, undefined]);
    expect([expiryOf({ at }, 5), expiryOf({ afterMs: 7 }, 5), expiryOf({ at, afterMs: 7 }, 5)]).toEqual([Date.parse(at), 12, 12]);
    expect(expiryOf({ at, afterMs: 7 }, Date.parse(at))).toBe(Date.parse(at));
  });
});

describe("tags", () => {
  it("stay in their order, each once, and at most so many", () => {
    expect(readTags(["b", "a", "b"])).toEqual(["b", "a"]);
    expect(Object.isFrozen(readTags([]))).toBe(true);
    const many = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);
    expect(readTags([...many(256), ...many(256)])).toHaveLength(256);
    expect(() => readTags(many(257))).toThrow("A record has at most 256 tags, not 257.");
    expect(() => readTags("a")).toThrow("tags must be a list of texts.");
  });

  // row: A14
  it("are 1 to 256 characters without spaces and control characters", () => {
    for (const tag of ["a", "category:general", "日本", "x".repeat(256)]) expect(readTag(tag)).toBe(tag);
    for (const tag of ["", "a b", "a\n", "a\u200b", "x".repeat(257), 5])
      expect(() => readTag(tag)).toThrow(expect.objectContaining({ code: "RECORD_INVALID" }));
    expect(() => readTag(" ".repeat(100))).toThrow(`The tag "${" ".repeat(80)}" must be`);
    expect(() => readTag(5)).toThrow("The tag (number) must be");
  });
});

describe("a definition in other names", () => {
  it("is brought to our own, and stays the same object where it has them", () => {
    const own = { name: "a_b", inputSchema: {}, other_name: 1 };
    expect(inOwnNames(own)).toBe(own);
    const read = inOwnNames({ input_schema: { type: "object" }, output_schema: {}, usage_hint: "x", name: "a" });
    expect(read).toEqual({ inputSchema: { type: "object" }, outputSchema: {}, usageHint: "x", name: "a" });
    expect(Object.isFrozen(read)).toBe(true);
  });

  it("is refused with both spellings of one name", () => {
    expect(() => inOwnNames({ usageHint: "a", usage_hint: "b" })).toThrow("context has both usageHint and usage_hint. Remove one of them.");
  });
});

describe("the difference of two revisions", () => {
  const revision = (more: object): Breadcrumb =>
    ({ schema_name: "n", title: "t", tags: [], visibility: "team", sensitivity: "low", context: {}, ...more }) as unknown as Breadcrumb;

  it("names each path with what was there and what is, in the order of paths", () => {
    const before = revision({ title: "a", tags: ["x"], context: { z: 1, same: { a: 1 }, gone: null, deep: { er: 1, b: 2 } } });
    const after = revision({ title: "b", tags: ["x", "y"], context: { z: { c: 1 }, same: { a: 1 }, new: 0, deep: { er: 2, b: 2 } } });
    expect(diffRecords(before, after)).toEqual([
      { path: "context.deep.er", before: 1, after: 2 },
      { path: "context.gone", before: null },
      { path: "context.new", after: 0 },
      { path: "context.z", before: 1, after: { c: 1 } },
      { path: "tags", before: ["x"], after: ["x", "y"] },
      { path: "title", before: "a", after: "b" },
    ]);
    expect(diffRecords(before, before)).toEqual([]);
  });

  it("takes no inherited member for a value", () => {
    expect(diffRecords(revision({ context: {} }), revision({ context: { constructor: 1 } }))).toEqual([
      { path: "context.constructor", after: 1 },
    ]);
  });
});
