import { describe, expect, it } from "vitest";
import { readCursor, toCursor } from "../../src/query/cursor.ts";
import { readSearch, type SearchQuery } from "../../src/query/search.ts";
import { readSelector, type Selector } from "../../src/query/selector.ts";
import type { Breadcrumb, Content } from "../../src/record/breadcrumb.ts";
import { termsOf, toTerms } from "../../src/record/terms.ts";

const record = { schema_name: "note.v1", tags: ["a", "b"], context: { price: 5 } } as unknown as Breadcrumb;
const meets = (selector: Selector): boolean => readSelector(selector).meets(record);

describe("a selector", () => {
  it("means the records for which every part of it holds", () => {
    const where = [{ path: "context.price", op: "lt", value: 10 }] as const;
    for (const selector of [
      {},
      { schema_name: "note.v1" },
      { tag: "a" },
      { allTags: ["a", "b"] },
      { anyTags: ["x", "b"] },
      { noneTags: ["x"] },
      { where },
    ])
      expect(meets(selector), JSON.stringify(selector)).toBe(true);
    for (const selector of [
      { schema_name: "other" },
      { tag: "x" },
      { allTags: ["a", "x"] },
      { anyTags: ["x"] },
      { noneTags: ["x", "a"] },
      { where: [...where, { path: "context.price", op: "gt", value: 10 } as const] },
      { allTags: ["a"], tag: "x" },
    ])
      expect(meets(selector), JSON.stringify(selector)).toBe(false);
  });

  it("is read with each tag once, and tells whether it compares fields", () => {
    expect(readSelector({ tag: "a", allTags: ["a", "b", "b"], anyTags: ["c", "c"], noneTags: ["d"], schema_name: "n" })).toMatchObject({
      schemaName: "n",
      allTags: ["a", "b"],
      anyTags: ["c"],
      noneTags: ["d"],
      hasConditions: false,
    });
    expect(readSelector({ where: [{ path: "title", op: "exists" }] }).hasConditions).toBe(true);
    expect(readSelector()).toMatchObject({ schemaName: undefined, allTags: [], anyTags: [], noneTags: [] });
  });

  it.each<[selector: unknown, message: string]>([
    [null, "A selector must be an object."],
    [[], "A selector must be an object."],
    [{ tags: ["a"] }, 'A query has no "tags". Known are schema_name, tag, anyTags, allTags, noneTags, where.'],
    [{ schema_name: 5 }, "schema_name must be a text."],
    [{ tag: "a b" }, 'The tag "a b" must be'],
    [{ anyTags: "a" }, "anyTags must be a list of at most 64 tags."],
    [{ allTags: Array.from({ length: 65 }, (_, index) => `t${index}`) }, "allTags must be a list of at most 64 tags."],
    [{ noneTags: [5] }, "The tag (number) must be"],
    [{ anyTags: [] }, "anyTags is empty: nothing could match. Leave it out."],
    [{ where: {} }, "where must be a list of at most 64 { path, op, value }."],
    [{ where: Array.from({ length: 65 }, () => ({ path: "title", op: "exists" })) }, "where must be a list of at most 64"],
    [{ where: [{ path: "nope", op: "exists" }] }, 'The path "nope" is not a field'],
  ])("never matches everything by mistake: %#", (selector, message) => {
    expect(() => readSelector(selector as Selector)).toThrow(
      expect.objectContaining({ code: "QUERY_INVALID", message: expect.stringContaining(message) }),
    );
  });

  it("may be empty in its lists of what is wanted and unwanted", () => {
    expect(meets({ allTags: [], noneTags: [], where: [] })).toBe(true);
    expect(meets({ allTags: Array.from({ length: 64 }, () => "a") })).toBe(true);
  });
});

describe("a search", () => {
  it("has its defaults, and the words of its text", () => {
    expect(readSearch()).toMatchObject({ terms: [], limit: 50, after: 0, includeContext: false });
    expect(readSearch({ text: "Café suche", limit: 1_000, includeContext: true })).toMatchObject({
      terms: ["cafe", "suche"],
      limit: 1_000,
      includeContext: true,
    });
    const many = Array.from({ length: 40 }, (_, index) => `w${index}`).join(" ");
    expect(readSearch({ text: many }).terms).toHaveLength(32);
  });

  it.each<[query: unknown, message: string]>([
    [{ txt: "a" }, "Known are schema_name, tag, anyTags, allTags, noneTags, where, text, limit, cursor, includeContext."],
    [{ text: 5 }, "text must be a text of at most 1,000 characters."],
    [{ text: "x".repeat(1_001) }, "text must be a text of at most 1,000 characters."],
    [{ text: "!?" }, "text holds no letter and no digit to search for. Leave it out."],
    [{ limit: 0 }, "limit must be a whole number from 1 to 1,000."],
    [{ limit: 1_001 }, "limit must be a whole number from 1 to 1,000."],
    [{ limit: 1.5 }, "limit must be a whole number from 1 to 1,000."],
    [{ includeContext: "yes" }, "includeContext must be true or false."],
    [{ cursor: "x" }, "The cursor does not belong to this query."],
  ])("is refused otherwise: %#", (query, message) => {
    expect(() => readSearch(query as SearchQuery)).toThrow(
      expect.objectContaining({ code: "QUERY_INVALID", message: expect.stringContaining(message) }),
    );
  });

  it("goes on from a cursor of the same question, whatever the size of the page", () => {
    const query = { text: "a", tag: "b" };
    const cursor = toCursor(7, readSearch(query).question);
    expect(readSearch({ ...query, cursor, limit: 2, includeContext: true }).after).toBe(7);
    for (const other of [{ text: "b", tag: "b" }, { text: "a" }, { ...query, schema_name: "n" }, { ...query, noneTags: ["c"] }])
      expect(() => readSearch({ ...other, cursor })).toThrow("The cursor does not belong to this query.");
  });

  it("takes no cursor that was not made here", () => {
    expect(readCursor(toCursor(12, ["q"]), ["q"])).toBe(12);
    const print = Buffer.from(toCursor(1, ["q"]), "base64url")
      .toString()
      .split(".")[1]!;
    const made = (text: string) => Buffer.from(text).toString("base64url");
    expect(readCursor(made(`5.${print}`), ["q"])).toBe(5);
    for (const cursor of [
      5,
      "",
      "x".repeat(200),
      made(`-1.${print}`),
      made(`9007199254740993.${print}`),
      made(`5.${print}0`),
      made(`.${print}`),
    ])
      expect(() => readCursor(cursor, ["q"]), String(cursor)).toThrow("does not belong");
  });
});

describe("the words of a text", () => {
  it("are its letters and digits, without case and accents, each once and not too long", () => {
    expect(toTerms("Café-Suche readFile2 café")).toEqual(["cafe", "suche", "readfile2"]);
    expect(toTerms("a b c", 2)).toEqual(["a", "b"]);
    expect(toTerms("x".repeat(100))).toEqual(["x".repeat(64)]);
    expect(toTerms(Array.from({ length: 1_001 }, (_, index) => `w${index}`).join(" "))).toHaveLength(1_000);
    expect(toTerms("")).toEqual([]);
  });

  it("of a record are those of its tags, id, title and every name and text of its context", () => {
    const content = {
      title: "A Title",
      tags: ["tag:one"],
      sensitivity: "low",
      context: { key: "value", list: ["item", 5, null], deep: { er: "down" } },
    } as unknown as Content;
    expect(termsOf("id-7", content)).toEqual("tag one id 7 a title key value list item deep er down".split(" "));
    expect(termsOf("id-7", { ...content, sensitivity: "secret" })).toEqual("tag one id 7 a title".split(" "));
    expect(termsOf("x", { ...content, context: { long: `${"y ".repeat(40_000)}last` } })).not.toContain("last");
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, "v"]));
    expect(termsOf("x", { ...content, context: wide }).length).toBeLessThanOrEqual(1_002);
  });
});
