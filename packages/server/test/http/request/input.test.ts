import { describe, expect, it } from "vitest";
import { checkPart, readPath, readQuery, readText } from "../../../src/http/request/input.ts";
import { parseJson } from "../../../src/http/request/json.ts";
import { readRequestId } from "../../../src/http/request/request-id.ts";

const schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    limit: { type: "integer", default: 5 },
    share: { type: "number" },
    all: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    counts: { type: "array", items: { type: "integer" } },
    caller: { type: "object" },
  },
};

describe("the query of a request", () => {
  it("is read as the types that its schema names", () => {
    expect(readQuery(schema, 'name=5&limit=5&share=-1.5&all=true&tags=a&tags=b&counts=1&counts=2&caller={"a":1}')).toEqual({
      name: "5",
      limit: 5,
      share: -1.5,
      all: true,
      tags: ["a", "b"],
      counts: [1, 2],
      caller: { a: 1 },
    });
    expect(readQuery(schema, 'tags=["a,b"]&all=false&name=a%20b')).toEqual({ tags: ["a,b"], all: false, name: "a b" });
    expect(readQuery(schema, "tags=a")).toEqual({ tags: ["a"] });
    expect(readQuery(schema, "tags=[a&tags=b")).toEqual({ tags: ["[a", "b"] });
    expect(readQuery(schema, "")).toEqual({});
    expect(readQuery({ type: "object", properties: { list: { type: "array" } } }, "list=1")).toEqual({ list: ["1"] });
  });

  it("keeps a text that does not fit as it is, for validation to refuse", () => {
    expect(readQuery(schema, "limit=5x&share=1e5&all=yes")).toEqual({ limit: "5x", share: "1e5", all: "yes" });
    expect(readText({ type: "integer" }, "1234567890123456")).toBe("1234567890123456");
    expect(readText({ type: "integer" }, "")).toBe("");
  });

  it.each([
    ["other=1", 'The query has an unknown "other". It takes name, limit, share, all, tags, counts, caller.'],
    ["__proto__=1", 'The query has an unknown "__proto__".'],
    ["name=a&name=b", 'The query says "name" twice. Say it once.'],
    ["caller={", `The query's "caller"`],
    ["tags=[1", `The query's "tags"`],
    ["name=%ff", "The query is not valid UTF-8, encoded with %. Write a percent sign as %25."],
    [`${"x".repeat(100)}=1`, `The query has an unknown "${"x".repeat(80)}".`],
  ])("is refused where it cannot be read: %s", (text, sentence) => {
    const read = (): unknown => readQuery(schema, text);
    expect(read).toThrow(expect.objectContaining({ status: 400, code: "REQUEST_INVALID" }));
    expect(read).toThrow(sentence);
  });

  it("is refused with every name where none is taken", () => {
    expect(() => readQuery({ type: "object" }, "a=1")).toThrow('The query has an unknown "a". It takes none.');
  });
});

describe("the path of a request", () => {
  it("is decoded, and read as the types that its schema names", () => {
    const path = { type: "object", properties: { name: { type: "string" }, version: { type: "integer" } } };
    expect(readPath(path, { name: "a%2Fb", version: "3", rest: "7" })).toEqual({ name: "a/b", version: 3, rest: "7" });
    expect(readPath({}, { name: "a" })).toEqual({ name: "a" });
    const wrong = (): unknown => readPath(path, { name: "%ff" });
    expect(wrong).toThrow(expect.objectContaining({ status: 400, code: "REQUEST_INVALID" }));
    expect(wrong).toThrow('The path has "%ff", which is not encoded as UTF-8.');
  });
});

describe("a part of a request", () => {
  it("is completed with defaults, and refused with the first five faults and all issues", () => {
    expect(checkPart("query", schema, {})).toEqual({ limit: 5 });
    const wrong = Object.fromEntries(["a", "b", "c", "d", "e", "f", "g"].map((name) => [name, 1]));
    const check = (): unknown => checkPart("body", { type: "object", additionalProperties: { type: "string" } }, wrong);
    expect(check).toThrow(expect.objectContaining({ status: 400, code: "REQUEST_INVALID" }));
    try {
      check();
    } catch (error) {
      const { message, options } = error as { message: string; options: { issues: readonly { message: string }[] } };
      expect(options.issues).toHaveLength(7);
      expect(message).toBe(
        `The body of the request is wrong: ${options.issues
          .slice(0, 5)
          .map((issue) => issue.message)
          .join(" ")}`,
      );
    }
  });

  it("is JSON with bounds, from text or bytes", () => {
    const bounds = { depth: 2, values: 4 };
    expect(parseJson('{"a":[1]}', bounds)).toEqual({ a: [1] });
    expect(parseJson(new TextEncoder().encode('{"ä":1}'), bounds)).toEqual({ ä: 1 });
    for (const text of ["{", "[[[1]]]", "[1,2,3,4,5]", '{"a":1,"a":2}']) {
      expect(() => parseJson(text, bounds), text).toThrow(expect.objectContaining({ status: 400, code: "JSON_INVALID" }));
    }
    expect(() => parseJson("{", bounds)).toThrow(/^The body/);
    expect(() => parseJson("{", { ...bounds, what: "The file" })).toThrow(/^The file/);
    expect(() => parseJson(new Uint8Array([0xff]), bounds)).toThrow(expect.objectContaining({ code: "JSON_INVALID" }));
  });
});

describe("the id of a request", () => {
  it("is the client's where it needs no quoting, else a new one each time", () => {
    for (const id of ["a", "0-1.2_3:4@5+6/7=", "x".repeat(128)]) expect(readRequestId(id)).toBe(id);
    for (const id of [undefined, "", "-a", "a b", 'a"', "a\n", "x".repeat(129)]) {
      expect(readRequestId(id)).not.toBe(id);
      expect(readRequestId(id)).not.toBe(readRequestId(id));
    }
  });
});
