import { describe, expect, it } from "vitest";
import { readSchema } from "../../src/schema/read-schema.ts";
import { schemaLimits } from "../../src/schema/read-shape.ts";
import { type Validated, validateValue } from "../../src/validate/validate.ts";

const invalidSchema: unknown = expect.objectContaining({ code: "SCHEMA_INVALID" });

const keywordsOf = (result: Validated): readonly string[] => (result.ok ? [] : result.issues.map((issue) => issue.keyword));

/** Runs on a budget of CPU time: a stall shows as a failure, a busy machine does not. */
function within<Result>(milliseconds: number, run: () => Result): Result {
  const before = process.cpuUsage();
  try {
    return run();
  } finally {
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(milliseconds);
  }
}

function nested(depth: number, wrap: (inner: unknown) => unknown, leaf: unknown = 1): unknown {
  let value = leaf;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

/** Definitions each of which uses the next one twice: 2^levels ways through the last. */
function doubling(levels: number, use: (reference: { $ref: string }) => unknown, last: unknown): Record<string, unknown> {
  const $defs = Object.fromEntries(Array.from({ length: levels }, (_, level) => [`d${level}`, use({ $ref: `#/$defs/d${level + 1}` })]));
  return { $ref: "#/$defs/d0", $defs: { ...$defs, [`d${levels}`]: last } };
}

describe("hostile values", () => {
  it("with names without measure are named by their beginning", () => {
    const long = "k".repeat(1_000_000);
    const found = validateValue({ properties: { a: { additionalProperties: false } } }, { a: { [long]: 1 } });
    const issue = found.ok ? undefined : found.issues[0]!;
    expect(issue).toMatchObject({ path: `/a/${"k".repeat(497)}…`, message: expect.stringMatching(/^a\.k{198}… is not a parameter here/) });
    expect(JSON.stringify(issue).length).toBeLessThan(1_000);
  });

  const tree = { type: "object", properties: { child: { $ref: "#" }, tags: { type: "array", uniqueItems: true } } };

  it("nested without measure are refused, not followed to the end of the stack", () => {
    const deep = nested(100_000, (child) => ({ child }), {});
    expect(keywordsOf(validateValue(tree, deep))).toEqual(["depth"]);
    expect(keywordsOf(validateValue({ uniqueItems: true }, [deep]))).toEqual(["depth"]);
    expect(validateValue({ type: "object" }, deep).ok).toBe(true);
    expect(
      validateValue(
        tree,
        nested(1_000, (child) => ({ child }), {}),
      ).ok,
    ).toBe(true);
  });

  it("that contain themselves are refused where the schema would follow them", () => {
    const circle: Record<string, unknown> = {};
    circle["child"] = circle;
    const result = validateValue(tree, circle);
    expect(result.ok ? "" : result.issues[0]?.message).toBe(
      "The input must be less deeply nested, but it is circular, or nested too deeply to be checked.",
    );
    expect(keywordsOf(validateValue(tree, { tags: [circle] }))).toEqual(["depth"]);
    expect(validateValue({ type: "object", required: ["child"] }, circle).ok).toBe(true);
  });

  it("that throw when they are looked at are refused", () => {
    const thrower = Object.defineProperty({}, "child", {
      enumerable: true,
      get() {
        throw new RangeError("never look here");
      },
    });
    const trap = new Proxy({}, { get: () => Symbol("s"), ownKeys: () => nested(1, () => ["a", "a"]) as string[] });
    for (const value of [thrower, trap]) expect(validateValue({ ...tree, additionalProperties: false }, value).ok).toBe(false);
    expect(keywordsOf(validateValue({ uniqueItems: true }, [{ big: 1n }]))).toEqual(["json"]);
  });

  it("with a million faults cost as much as they are long, and list a hundred", () => {
    const numbers = Array.from({ length: 1_000_000 }, (_, index) => index);
    const result = within(4_000, () => validateValue({ items: { type: "string" } }, numbers));
    expect(keywordsOf(result)).toHaveLength(100);
    const alternatives = { anyOf: [{ items: { type: "string" } }, { items: { type: "null" }, minItems: 1 }] };
    expect(keywordsOf(within(4_000, () => validateValue(alternatives, numbers)))).toHaveLength(100);
    const extra = Object.fromEntries(numbers.slice(0, 100_000).map((index) => [`parameter_number_${index}`, index]));
    const closed = { required: ["parameter_numbers"], properties: { parameter: {} }, additionalProperties: false };
    const messages = within(4_000, () => JSON.stringify(validateValue(closed, extra)));
    expect(messages).toContain("parameter_number_1");
  });
});

describe("hostile patterns", () => {
  it("that backtrack elsewhere take linear time here", () => {
    const text = `${"a".repeat(100_000)}!`;
    for (const pattern of ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*)*x", "^(?=(a+)+$)"]) {
      expect(within(2_000, () => validateValue({ pattern }, text)).ok, pattern).toBe(false);
      expect(within(2_000, () => validateValue({ patternProperties: { [pattern]: false } }, { [text]: 1 })).ok, pattern).toBe(true);
    }
  });
});

describe("hostile schemas", () => {
  it.each([
    ["to themselves", { $ref: "#" }],
    ["to each other", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } } }],
    ["to themselves by an alternative", { anyOf: [{ type: "null" }, { $ref: "#" }] }],
    ["to themselves by a negation", { not: { $ref: "#" } }],
    ["to themselves by a keyword that is left to rules", { $ref: "#", uniqueItems: true }],
  ])("that refer %s without end are refused as such", (_how, schema) => {
    for (const value of [1, "text", {}, [1, 2]]) expect(() => within(3_000, () => validateValue(schema, value))).toThrow(invalidSchema);
  });

  it("S18: whose alternatives multiply are refused before they take long", () => {
    const pair = (reference: unknown): unknown => ({ anyOf: [reference, reference] });
    for (const last of [{ type: "string" }, { contains: { type: "string" } }, false]) {
      expect(() => within(8_000, () => validateValue(doubling(40, pair, last), []))).toThrow(invalidSchema);
    }
  });

  it("whose demands multiply neither pass slowly nor fail with endless lists", () => {
    const both = (reference: unknown): unknown => ({ allOf: [reference, reference] });
    expect(() => within(8_000, () => validateValue(doubling(40, both, { type: "array" }), []))).toThrow(invalidSchema);
    const refused = within(8_000, () => validateValue(doubling(40, both, { type: "string" }), []));
    expect(keywordsOf(refused)).toHaveLength(100);
  });

  it("whose code would multiply with the rules that it leaves parts to share one budget with them", () => {
    const costly = doubling(18, (reference) => ({ anyOf: [reference, reference], propertyNames: true }), { type: "string" });
    const renamed = JSON.parse(JSON.stringify(costly).replaceAll("/d", "/e").replaceAll('"d', '"e')) as typeof costly;
    const schema = doubling(18, (reference) => ({ anyOf: [reference, reference] }), { $ref: "#/$defs/e0" });
    const merged = { ...schema, $defs: { ...(schema["$defs"] as object), ...(renamed["$defs"] as object) } };
    expect(() => within(8_000, () => validateValue(merged, {}))).toThrow(invalidSchema);
  });

  it("S18: that are larger than any honest one are refused before anything is made of them", () => {
    const { depth, values, textLength } = schemaLimits;
    const properties = Object.fromEntries(Array.from({ length: values }, (_, index) => [`p${index}`, true]));
    for (const schema of [
      nested(depth + 1, (not) => ({ not }), {}),
      { properties },
      { description: "x".repeat(textLength + 1) },
      { properties: { ["x".repeat(textLength + 1)]: true } },
      { enum: Array.from({ length: values }, () => 1) },
    ]) {
      expect(() => within(1_000, () => readSchema(schema))).toThrow(invalidSchema);
    }
    const circular: Record<string, unknown> = {};
    circular["not"] = circular;
    expect(() => readSchema(circular)).toThrow(/circular, or nested more than 128 deep/);
  });

  it("as large as allowed are still made ready quickly", () => {
    const names = Array.from({ length: 4_000 }, (_, index) => `p${index}`);
    const wide = { properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])), required: names };
    const result = within(3_000, () => validateValue(wide, {}));
    expect(keywordsOf(result)).toHaveLength(100);
    expect(within(3_000, () => JSON.stringify(result))).toContain("p0 is required");
  });

  it("whose parts refer to one another's insides make no more code than they are worth", () => {
    const bottom = {
      properties: Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`p${index}`, { type: "string", minLength: 1 }])),
    };
    const chain = nested(50, (a) => ({ properties: { a } }), bottom) as object;
    const anyOf = Array.from({ length: 50 }, (_, level) => ({ $ref: `#${"/properties/a".repeat(level + 1)}` }));
    const schema = { ...chain, anyOf };
    expect(within(4_000, () => validateValue(schema, { a: { p1: 5 } })).ok).toBe(true);
  });

  it("whose defaults multiply are refused", () => {
    const many = Array.from({ length: 100 }, () => ({}));
    const schema = nested(6, (items) => ({ properties: { a: { items, default: many } } }), {});
    expect(() => within(2_000, () => validateValue(schema, {}))).toThrow(invalidSchema);
    const siblings = {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { a: { $ref: "#/definitions/any", allOf: [{ $ref: "#/properties/a" }, { $ref: "#/properties/a" }] } },
      definitions: { any: { properties: { b: { default: 1 } } } },
    };
    expect(within(2_000, () => validateValue(siblings, { a: {} }))).toEqual({ ok: true, value: { a: { b: 1 } } });
  });
});
