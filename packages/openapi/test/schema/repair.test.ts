import { describe, expect, it } from "vitest";
import { isExampleUsable, shorten } from "../../src/schema/repair.ts";
import { readTypes } from "../../src/schema/types.ts";
import { readOne, refusalOf } from "../read-one.ts";

describe("what documents write in place of a type", () => {
  it.each([
    ["any", undefined],
    ["mixed", undefined],
    ["nonsense", undefined],
    ["toString", undefined],
    ["str", ["string"]],
    ["int64", ["integer"]],
    ["long", ["integer"]],
    ["float", ["number"]],
    ["bool", ["boolean"]],
    ["map", ["object"]],
    ["list", ["array"]],
    ["Integer", ["integer"]],
    [
      ["int", "null"],
      ["integer", "null"],
    ],
    [["string", "any"], undefined],
    [[], undefined],
  ])("%j is read as %j, and told", (type, types) => {
    const read = readTypes(type);
    expect(read.types).toEqual(types);
    expect(read.repaired === undefined).toBe(Array.isArray(type) && type.length === 0);
  });

  it.each([
    ["date", "date"],
    ["uuid", "uuid"],
    ["datetime", "date-time"],
    ["date-time", "date-time"],
    ["file", "binary"],
    ["url", undefined],
  ])("%s implies the format %s", (type, format) => {
    expect(readTypes(type)).toEqual({ types: ["string"], ...(format && { format }), repaired: `The type "${type}" is read as string.` });
  });

  it("is the type itself where it is one", () => {
    for (const type of ["null", "boolean", "object", "array", "number", "string", "integer"])
      expect(readTypes(type)).toEqual({ types: [type] });
    expect(readTypes(null)).toEqual({ types: undefined });
    expect(readOne({ type: "date", format: "own" }).input).toEqual({ type: "string", format: "own" });
  });
});

describe("keywords of a schema", () => {
  it("stay where they are right", () => {
    const schema = {
      type: "string",
      title: "T",
      description: "D",
      format: "email",
      minLength: 1,
      maxLength: 9,
      pattern: "^a+$",
      contentEncoding: "base64",
      contentMediaType: "image/png",
      deprecated: true,
    };
    expect(readOne(schema, {}, "3.1.0").input).toEqual(schema);
    const list = {
      type: "array",
      items: {},
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
      contains: { const: 1 },
      minContains: 1,
      maxContains: 2,
    };
    expect(readOne(list, {}, "3.1.0").input).toEqual(list);
    const object = {
      type: ["object", "null"],
      minProperties: 1,
      maxProperties: 2,
      patternProperties: { "^a": { type: "string" } },
      propertyNames: { maxLength: 3 },
      dependentRequired: { a: ["b"] },
      dependentSchemas: { a: { minProperties: 2 } },
      additionalProperties: { type: "integer" },
      not: { required: ["z"] },
      if: { required: ["a"] },
      // oxlint-disable-next-line unicorn/no-thenable
      then: { required: ["b"] },
      else: false,
    };
    expect(readOne(object, {}, "3.1.0").input).toEqual(object);
    expect(readOne({ const: { a: 1 } }, {}, "3.1.0").input).toEqual({ const: { a: 1 } });
  });

  it("are left out where they say nothing that can be checked", () => {
    const schema = {
      type: "object",
      title: "",
      description: {},
      format: "",
      uniqueItems: false,
      deprecated: "yes",
      contentEncoding: 5,
      minProperties: 1.5,
      maxProperties: "x",
      patternProperties: { "(a": {} },
      dependentRequired: { a: "b", c: ["d", 5] },
      additionalProperties: "no",
    };
    expect(readOne(schema, {}, "3.1.0").input).toEqual({ type: "object", patternProperties: {}, dependentRequired: { c: ["d"] } });
    expect(readOne({ type: "number", minimum: "", maximum: Infinity, multipleOf: -1 }).input).toEqual({ type: "number" });
  });

  it("of bytes are base64, unless they say otherwise", () => {
    expect(readOne({ type: "string", format: "byte" }).input).toEqual({ type: "string", format: "byte", contentEncoding: "base64" });
    expect(readOne({ type: "string", format: "byte", contentEncoding: "base32" }).input).toMatchObject({ contentEncoding: "base32" });
  });

  it("may be null beside a constant, a choice or nothing", () => {
    expect(readOne({ type: "string", const: "a", nullable: true }).input).toEqual({ type: ["string", "null"], enum: ["a", null] });
    expect(readOne({ type: ["string", "null"], nullable: true }, {}, "3.1.0").input).toEqual({ type: ["string", "null"] });
    expect(readOne({ title: "T", oneOf: [{ type: "string" }], nullable: true }).input).toEqual({
      title: "T",
      anyOf: [{ oneOf: [{ type: "string" }] }, { type: "null" }],
    });
    expect(readOne({ enum: ["a", null], nullable: true }).input).toEqual({ enum: ["a", null] });
    expect(readOne({ enum: ["a"], minLength: 1, nullable: true }).input).toEqual({
      anyOf: [{ enum: ["a"], minLength: 1 }, { type: "null" }],
    });
  });

  it("have one example, the first that can be shown", () => {
    const examplesOf = (schema: object, version = "3.1.0") => readOne({ type: "string", ...schema }, {}, version).input["examples"];
    expect(examplesOf({ examples: [null, "a", "b"] })).toEqual(["a"]);
    expect(examplesOf({ example: "a" })).toEqual(["a"]);
    expect(examplesOf({ example: null })).toBeUndefined();
    expect(examplesOf({ example: "x".repeat(300) })).toBeUndefined();
    expect([isExampleUsable("x".repeat(198)), isExampleUsable("x".repeat(199))]).toEqual([true, false]);
    expect([isExampleUsable("a\u0001"), isExampleUsable("a\u200b"), isExampleUsable("é"), isExampleUsable(undefined)]).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  it("show their default in words, once, and none that says nothing", () => {
    const shown = (schema: object) =>
      readOne({ type: "object", properties: { a: schema } }).input["properties"] as { a: { description?: string } };
    expect(shown({ default: "x" }).a.description).toBe("Default: x.");
    expect(shown({ default: false, description: "Whether?" }).a.description).toBe("Whether? Default: false.");
    expect(shown({ default: [1], description: "Which: " }).a.description).toBe("Which: Default: [1].");
    expect(shown({ default: 5, description: "Default: 5. Or more." }).a.description).toBe("Default: 5. Or more.");
    for (const none of [null, "", "x".repeat(300)]) expect(shown({ default: none }).a).toEqual({});
  });

  it("have values that can be written as JSON, and not without number", () => {
    expect(refusalOf({ enum: Array.from({ length: 100_001 }, (_, index) => index) })).toBe(
      'The "enum" of a schema has more than 100000 values. Shorten it, or exclude the operation.',
    );
  });
});

describe("a text that is too long", () => {
  it("is cut at a word, unless that would leave half of it", () => {
    expect(shorten("one two three", 13)).toBe("one two three");
    expect(shorten("one two three", 12)).toBe("one two…");
    expect(shorten("one twothreefour", 12)).toBe("one twothre…");
    expect(shorten("one two  three", 10)).toBe("one two…");
  });
});
