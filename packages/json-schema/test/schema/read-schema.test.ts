import { describe, expect, it } from "vitest";
import { keywords } from "../../src/schema/keywords.ts";
import { readSchema } from "../../src/schema/read-schema.ts";

describe("readSchema", () => {
  it("returns a frozen copy of the plain JSON", () => {
    const given = { type: "object", properties: { a: { enum: [1, { deep: [] }] } }, note: undefined };
    const schema = readSchema(given) as { properties: { a: { enum: unknown[] } } };
    expect(schema).toEqual({ type: "object", properties: { a: { enum: [1, { deep: [] }] } } });
    expect(schema).not.toHaveProperty("note");
    for (const part of [schema, schema.properties, schema.properties.a, schema.properties.a.enum, schema.properties.a.enum[1]]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    expect(Object.isFrozen(given.properties)).toBe(false);
  });

  it("returns a schema that it has read before as it is", () => {
    const schema = readSchema({ type: "object" });
    expect(readSchema(schema)).toBe(schema);
    expect(readSchema({ ...schema })).not.toBe(schema);
  });

  it("keeps keywords that it does not know", () => {
    expect(readSchema({ "x-vendor": { any: "thing" } })).toEqual({ "x-vendor": { any: "thing" } });
  });

  it("keeps a property named __proto__ as a property", () => {
    const schema = readSchema(JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'));
    expect(Object.keys(schema["properties"] as object)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(schema["properties"])).toBe(Object.prototype);
  });

  it.each<[schema: unknown, message: string]>([
    [null, 'The schema is wrong at "/": a schema must be an object, not null.'],
    [[], 'The schema is wrong at "/": a schema must be an object, not a list.'],
    [
      { type: "text" },
      'The schema is wrong at "/type": "type" must be one of null, boolean, object, array, number, string, integer, or a list of them, not "text".',
    ],
    [{ type: [] }, '"type" must be one of'],
    [{ properties: { a: { minLength: -1 } } }, 'wrong at "/properties/a/minLength": "minLength" must be a whole number from 0, not -1.'],
    [{ properties: { "a/b": 5 } }, 'wrong at "/properties/a~1b": a schema must be an object, true or false, not 5.'],
    [{ items: [{ maximum: "5" }] }, 'wrong at "/items/0/maximum": "maximum" must be a number, not "5".'],
    [{ multipleOf: 0 }, '"multipleOf" must be a number above 0, not 0.'],
    [{ anyOf: [] }, '"anyOf" must be a list of at least one schema, not a list.'],
    [{ required: ["a", 1] }, '"required" must be a list of texts, not a list.'],
    [{ required: true }, '"required" must be a list of texts, not true.'],
    [{ enum: "red" }, '"enum" must be a list, not "red".'],
    [{ uniqueItems: "yes" }, '"uniqueItems" must be true or false, not "yes".'],
    [{ dependentRequired: { a: "b" } }, '"dependentRequired" must be an object of lists of texts, not an object.'],
    [{ $ref: 5 }, '"$ref" must be a text, not 5.'],
    [{ pattern: "(" }, 'wrong at "/pattern"'],
    [{ patternProperties: { "[": {} } }, 'wrong at "/patternProperties"'],
    [{ default: Number.NaN }, 'wrong at "/default": NaN is not a JSON number.'],
    [{ const: 1n }, 'wrong at "/const": a bigint is not JSON.'],
    [{ const: () => 1 }, 'wrong at "/const": a function is not JSON.'],
    [{ enum: Object.assign([1], { 2: 3 }) }, 'wrong at "/enum/1": a gap is not JSON.'],
  ])("refuses %o with the place and what belongs there", (schema, message) => {
    expect(() => readSchema(schema)).toThrow(
      expect.objectContaining({ code: "SCHEMA_INVALID", message: expect.stringContaining(message) }),
    );
  });

  it("knows what belongs behind every keyword but those that take anything", () => {
    const odd = Symbol("no JSON keyword takes this") as unknown;
    for (const keyword of keywords.keys()) expect(() => readSchema({ [keyword]: odd }), keyword).toThrow(/not JSON/);
    for (const [keyword, { kind }] of keywords) {
      if (kind !== "any") expect(() => readSchema({ [keyword]: null }), keyword).toThrow(`wrong at "/${keyword}"`);
    }
  });
});
