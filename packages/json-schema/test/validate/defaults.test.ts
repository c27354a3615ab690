import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillDefaults, validateValue, validatorFor } from "../../src/validate/validate.ts";
import { deepFreeze } from "../util/deep-freeze.ts";
import { randomSchemas } from "./engine/random-schema.ts";

function filled(schema: unknown, value: unknown): unknown {
  const result = validateValue(schema, value);
  return result.ok ? result.value : result.issues;
}

describe("defaults", () => {
  const limit = { type: "integer", default: 5 };

  it.each<[what: string, schema: unknown, value: unknown, expected: unknown]>([
    ["a missing property", { properties: { query: {}, limit } }, { query: "x" }, { query: "x", limit: 5 }],
    ["an undefined property", { properties: { limit } }, { limit: undefined }, { limit: 5 }],
    ["nested objects", { properties: { page: { properties: { limit } } } }, { page: {} }, { page: { limit: 5 } }],
    ["items", { items: { properties: { limit } } }, [{}, { limit: 1 }], [{ limit: 5 }, { limit: 1 }]],
    ["the first items", { prefixItems: [{ properties: { limit } }] }, [{}, {}], [{ limit: 5 }, {}]],
    ["any property", { additionalProperties: { properties: { limit } } }, { a: {} }, { a: { limit: 5 } }],
    [
      "all parts of a schema",
      { allOf: [{ properties: { limit } }, { properties: { mode: { default: "a" } } }] },
      {},
      { limit: 5, mode: "a" },
    ],
    ["a definition", { $ref: "#/$defs/a%20b", $defs: { "a b": { properties: { limit } } } }, {}, { limit: 5 }],
    ["a default that stands in a definition", { properties: { limit: { $ref: "#/$defs/n" } }, $defs: { n: limit } }, {}, { limit: 5 }],
    ["the schema itself", { properties: { limit, child: { $ref: "#" } } }, { child: {} }, { limit: 5, child: { limit: 5 } }],
    ["a default inside a default", { properties: { page: { default: {}, properties: { limit } } } }, {}, { page: { limit: 5 } }],
    ["names that objects inherit", { properties: { constructor: { default: 1 } } }, {}, { constructor: 1 }],
  ])("reach %s", (_what, schema, value, expected) => {
    expect(filled(schema, value)).toEqual(expected);
  });

  it("are added by fillDefaults to a value that is not valid, too, in a copy", () => {
    const given = deepFreeze({ query: 7 });
    expect(fillDefaults({ properties: { query: { type: "string" }, limit } }, given)).toEqual({ query: 7, limit: 5 });
    expect(fillDefaults({ properties: { limit: { type: "integer", default: "five" } } }, {})).toEqual({});
  });

  it("leave alone what is there, even null and false", () => {
    expect(filled({ properties: { a: { default: 1 }, b: { default: 1 } } }, { a: null, b: false })).toEqual({ a: null, b: false });
  });

  it.each<[what: string, schema: Record<string, unknown>, more?: Record<string, unknown>]>([
    ["the wrong type", { type: "integer", default: "ten" }],
    ["outside of a range", { type: "integer", maximum: 10, default: 50 }],
    ["not one of the choices", { enum: ["a", "b"], default: "c" }],
    ["null where null is not allowed", { type: "string", default: null }],
    ["wrong in an item", { type: "array", items: { type: "string" }, default: ["a", 1] }],
    ["wrong for the definition it stands beside", { $ref: "#/$defs/n", default: "ten" }, { $defs: { n: { type: "integer" } } }],
    ["wrong where its definition is used", { $ref: "#/$defs/n", maximum: 3 }, { $defs: { n: { type: "integer", default: 5 } } }],
    ["wrong for all parts", { allOf: [{ type: "integer" }], default: "ten" }],
    [
      "wrong for a part that refers to a place without a keyword",
      { $ref: "#/x-own/n" },
      { "x-own": { n: { type: "integer", default: "ten" } } },
    ],
    ["allowed by no alternative", { anyOf: [{ type: "integer" }, { type: "null" }], default: "ten" }],
    ["without what it requires", { type: "object", required: ["a"], default: {} }],
    [
      "wrong for a subschema with an $id",
      { $id: "https://example.com/n", $ref: "#/$defs/n", $defs: { n: { type: "integer" } }, default: "ten" },
    ],
  ])("are not applied if they are %s", (_what, schema, more) => {
    const whole = { properties: { a: schema, page: { properties: { a: schema, limit } } }, ...more };
    for (let call = 0; call < 2; call++) expect(filled(whole, { page: {} })).toEqual({ page: { limit: 5 } });
  });

  it("are judged with the defaults inside them filled in", () => {
    const page = { type: "object", properties: { limit }, required: ["limit"], default: {} };
    expect(filled({ properties: { page } }, {})).toEqual({ page: { limit: 5 } });
    const broken = { type: "object", properties: { limit: { type: "integer", default: "ten" } }, default: {} };
    expect(filled({ properties: { page: broken } }, {})).toEqual({ page: {} });
  });

  it("that are applied fit their schema, whatever it is", () => {
    const { schema, value } = randomSchemas(["a", "b"]);
    fc.assert(
      fc.property(schema, value, (base, word) => {
        const { $defs, ...rest } = base;
        const result = validatorFor({ $defs, properties: { a: { ...rest, default: word } } }).fill({}) as Record<string, unknown>;
        if (Object.hasOwn(result, "a")) expect(validateValue(base, result["a"]).ok).toBe(true);
        else expect(validateValue({ $defs, properties: { a: rest } }, { a: word }).ok).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("do not guess among alternatives", () => {
    expect(filled({ anyOf: [{ properties: { limit } }, { properties: { mode: { default: "a" } } }] }, {})).toEqual({});
  });

  it("prefer the word that stands nearest", () => {
    const schema = { properties: { a: { default: 1 } }, allOf: [{ properties: { a: { default: 2 } } }] };
    expect(filled(schema, {})).toEqual({ a: 1 });
  });

  it("add no properties that have none", () => {
    expect(Object.keys(filled({ properties: { constructor: {}, toString: {}, limit } }, {}) as object)).toEqual(["limit"]);
  });

  it("give each call a copy of its own", () => {
    const schema = { properties: { tags: { default: ["a"] }, page: { default: { n: 1 } } } };
    const first = filled(schema, {}) as { tags: string[]; page: { n: number } };
    first.tags.push("b");
    first.page.n = 2;
    expect(filled(schema, {})).toEqual({ tags: ["a"], page: { n: 1 } });
  });

  it("copy only what lies on the way to a missing one", () => {
    const schema = { properties: { page: { properties: { limit } }, other: {}, full: { properties: { limit } } } };
    const value = { page: {}, other: {}, full: { limit: 1 } };
    const result = filled(schema, value) as typeof value;
    expect(result).not.toBe(value);
    expect([result.other, result.full]).toEqual([value.other, value.full]);
    expect(result.other === value.other && result.full === value.full).toBe(true);
    expect(filled(schema, { full: { limit: 1 } })).toEqual({ full: { limit: 1 } });
  });

  it("never touch what they were given, whatever the schema", () => {
    const { schema, value } = randomSchemas(["a", "b", "constructor"]);
    const withDefaults = fc
      .tuple(schema, fc.dictionary(fc.constantFrom("a", "b", "constructor"), value, { noNullPrototype: true }))
      .map(([base, defaults]) => ({
        allOf: [base],
        $defs: base["$defs"],
        properties: Object.fromEntries(
          Object.entries(defaults).map(([name, inner]) => [name, { default: inner, properties: { a: { default: inner } } }]),
        ),
        items: { properties: { b: { default: 1 } } },
      }));
    fc.assert(
      fc.property(withDefaults, value, (anySchema, given) => {
        const before = JSON.stringify(given);
        const result = validatorFor(anySchema).fill(deepFreeze(given));
        expect(JSON.stringify(given)).toBe(before);
        if (typeof given === "object" && given !== null && !Array.isArray(given)) expect(result).toMatchObject(given);
      }),
      { numRuns: 500 },
    );
  });
});
