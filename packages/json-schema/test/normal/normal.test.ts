import fc from "fast-check";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { normalizeSchema } from "../../src/normal/normal.ts";
import { accepts } from "./judge.ts";

const normal = (schema: unknown): object => normalizeSchema(schema).schema;

describe("references", () => {
  it("copies any JSON pointer, escaped or not, to where it is used", () => {
    const schema = {
      properties: {
        a: { properties: { deep: { type: "string" } } },
        b: { $ref: "#/properties/a/properties/deep" },
        c: { $ref: "#/$defs/My%20Type~1v1" },
      },
      $defs: { "My Type/v1": { type: "integer" } },
    };
    expect(normal(schema)).toEqual({
      properties: { a: { properties: { deep: { type: "string" } } }, b: { type: "string" }, c: { type: "integer" } },
    });
  });

  it("follows anchors and identifiers inside the document", () => {
    const schema = {
      $id: "https://example.com/tool",
      properties: { a: { $ref: "#age" }, b: { $ref: "part" }, c: { $ref: "https://example.com/part#/$defs/x" } },
      $defs: { x: { $anchor: "age", type: "integer" }, y: { $id: "part", type: "boolean", $defs: { x: { type: "null" } } } },
    };
    expect(normal(schema)).toEqual({ properties: { a: { type: "integer" }, b: { type: "boolean" }, c: { type: "null" } } });
  });

  it("keeps a schema that contains itself as one definition", () => {
    const node = { type: "object", properties: { next: { $ref: "#/definitions/Node" } } };
    expect(normal({ type: "object", properties: { list: { $ref: "#/definitions/Node" } }, definitions: { Node: node } })).toEqual({
      type: "object",
      properties: { list: { $ref: "#/$defs/Node" } },
      $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } } },
    });
  });

  it("opens the root once when it contains itself", () => {
    expect(normal({ type: "object", properties: { left: { $ref: "#" } } })).toEqual({
      type: "object",
      properties: { left: { $ref: "#/$defs/root" } },
      $defs: { root: { type: "object", properties: { left: { $ref: "#/$defs/root" } } } },
    });
  });

  it("reads constraints beside $ref in 2020-12 and ignores them in draft-07", () => {
    const schema = { properties: { a: { $ref: "#/$defs/s", maxLength: 3, description: "d" } }, $defs: { s: { type: "string" } } };
    expect(normal(schema)).toEqual({ properties: { a: { type: "string", maxLength: 3, description: "d" } } });
    expect(normal({ $schema: "http://json-schema.org/draft-07/schema#", ...schema })).toEqual({
      properties: { a: { type: "string", description: "d" } },
    });
  });

  it("refuses a reference that leads nowhere, and says where it stands", () => {
    expect(() => normal({ properties: { a: { $ref: "#/$defs/none" } } })).toThrow(/"#\/\$defs\/none" at "\/properties\/a" leads nowhere/);
    expect(() => normal({ properties: { a: { $ref: "https://example.com/x.json" } } })).toThrow(/Nothing is fetched/);
  });

  it("stays small when definitions use each other twice", () => {
    const levels = 40;
    const definitions = Object.fromEntries(
      Array.from({ length: levels }, (_, level) => {
        const next = level + 1 < levels ? { $ref: `#/$defs/l${level + 1}` } : { type: "string" };
        return [`l${level}`, { type: "object", properties: { a: next, b: next } }];
      }),
    );
    const text = JSON.stringify(normal({ $ref: "#/$defs/l0", $defs: definitions }));
    expect(text.length).toBeLessThan(1_000_000);
  });

  it("treats a property named $ref as a property", () => {
    expect(normal({ properties: { $ref: { const: 1 } } })).toEqual({ properties: { $ref: { enum: [1] } } });
  });
});

describe("single passes", () => {
  it.each([
    ["booleans", { properties: { a: true, b: false } }, { properties: { a: {}, b: { not: {} } } }],
    ["a closed object", { additionalProperties: false }, { additionalProperties: false }],
    ["an explicitly open object", { additionalProperties: true }, { additionalProperties: {} }],
    ["nullable", { type: "string", nullable: true }, { type: ["string", "null"] }],
    ["a nullable enum", { type: "string", enum: ["a"], nullable: true }, { type: ["string", "null"], enum: ["a", null] }],
    ["a nullable union", { anyOf: [{ type: "string" }], nullable: true }, { anyOf: [{ anyOf: [{ type: "string" }] }, { type: "null" }] }],
    ["a draft-07 tuple", { items: [{ type: "string" }], additionalItems: false }, { prefixItems: [{ type: "string" }], maxItems: 1 }],
    ["a closed tuple", { prefixItems: [{}], items: false, maxItems: 5 }, { prefixItems: [{}], maxItems: 1 }],
    ["const", { const: null }, { enum: [null] }],
    ["const outside enum", { const: 1, enum: [2] }, { not: {} }],
    ["types", { type: ["integer", "number"] }, { type: "number" }],
    [
      "dependencies",
      { dependencies: { a: ["b"], c: { required: ["d"] } } },
      { dependentRequired: { a: ["b"] }, dependentSchemas: { c: { required: ["d"] } } },
    ],
    [
      "unevaluatedProperties",
      { properties: { a: {} }, unevaluatedProperties: false },
      { properties: { a: {} }, additionalProperties: false },
    ],
  ])("%s", (_name, schema, expected) => {
    expect(normal(schema)).toEqual(expected);
  });

  it("records what each pass changed and where", () => {
    expect(normalizeSchema({ properties: { kind: { const: "cat" } } }).changes).toEqual([
      { path: "/properties/kind", pass: "const", note: "const became a list of one value" },
    ]);
  });

  it("returns a schema that is already normal as it is", () => {
    const { schema, changes } = normalizeSchema({ type: "object", properties: { a: { type: "string" } }, required: ["a"] });
    expect(changes).toEqual([]);
    expect(normalizeSchema(schema).schema).toBe(schema);
  });
});

describe("allOf", () => {
  it.each([
    [
      "unites properties and required lists",
      {
        allOf: [
          { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
          { properties: { b: { type: "integer" } }, required: ["b"] },
        ],
      },
      { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } }, required: ["a", "b"] },
    ],
    [
      "keeps the tighter bounds",
      {
        allOf: [
          { type: "number", minimum: 0, maximum: 9 },
          { type: "integer", minimum: 5 },
        ],
      },
      { type: "integer", minimum: 5, maximum: 9 },
    ],
    ["keeps the common values", { allOf: [{ enum: [1, 2, { a: 1 }] }, { enum: [{ a: 1 }, 2] }] }, { enum: [2, { a: 1 }] }],
    ["knows when nothing is left", { allOf: [{ type: "string" }, { type: "number" }] }, { not: {} }],
    [
      "leaves what cannot be merged",
      { pattern: "^a", allOf: [{ pattern: "b$" }, { minLength: 2 }] },
      { pattern: "^a", minLength: 2, allOf: [{ pattern: "b$" }] },
    ],
    [
      "judges one branch's properties by the other's additionalProperties",
      { allOf: [{ properties: { a: {}, b: {} } }, { properties: { a: { type: "string" } }, additionalProperties: false }] },
      { properties: { a: { type: "string" } }, additionalProperties: false },
    ],
    [
      "opens a schema that contains itself",
      { allOf: [{ $ref: "#/$defs/n" }, { required: ["v"] }], $defs: { n: { properties: { v: { $ref: "#/$defs/n" } } } } },
      { properties: { v: { $ref: "#/$defs/n" } }, required: ["v"], $defs: { n: { properties: { v: { $ref: "#/$defs/n" } } } } },
    ],
  ])("%s", (_name, schema, expected) => {
    expect(normal(schema)).toEqual(expected);
  });

  it("accepts exactly what the original accepts", () => {
    fc.assert(
      fc.property(
        fc.array(smallSchema, { minLength: 2, maxLength: 3 }),
        smallSchema,
        fc.jsonValue({ maxDepth: 2 }),
        smallValue,
        (branches, outer, any, value) => {
          const schema = { ...outer, allOf: branches };
          const merged = normal(schema);
          for (const instance of [any, value]) expect(accepts(merged, instance)).toBe(accepts(schema, instance));
        },
      ),
      { numRuns: sized(20, 300) },
    );
  });
});

const leaf = fc.constantFrom<Record<string, unknown>>(
  {},
  { type: "string" },
  { type: "integer" },
  { type: ["number", "null"] },
  { enum: ["x", 1, null] },
  { const: "x" },
  { minimum: 1 },
  { type: "string", maxLength: 1 },
  { type: "array", items: { type: "string" } },
);
const smallSchema = fc.record(
  {
    properties: fc.dictionary(fc.constantFrom("a", "b", "c"), leaf, { maxKeys: 2 }),
    required: fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 2 }),
    additionalProperties: fc.oneof(fc.boolean(), leaf),
    patternProperties: fc.constantFrom({ "^a": { type: "string" } }, { "^b": {} }),
    anyOf: fc.array(leaf, { minLength: 1, maxLength: 2 }),
    prefixItems: fc.array(leaf, { minLength: 1, maxLength: 2 }),
    items: fc.oneof(leaf, fc.boolean()),
    type: fc.constantFrom("object", ["object", "array", "string"]),
    maxProperties: fc.nat(2),
    not: leaf,
  },
  { requiredKeys: [] },
);
const smallValue = fc.oneof(
  fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.constantFrom<unknown>("x", "xy", 1, 0, null, []), { maxKeys: 3 }),
  fc.array(fc.constantFrom<unknown>("x", "xy", 1, null), { maxLength: 3 }),
  fc.constantFrom<unknown>("x", "xy", 1, 0, null),
);
