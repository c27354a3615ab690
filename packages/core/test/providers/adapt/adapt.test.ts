import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "@toolrack/json-schema";
import { adaptSchema } from "../../../src/providers/adapt/adapt.ts";
import { schemaTargets } from "../../../src/providers/providers.ts";
import { checkVendorSchema } from "../../../src/providers/rules/rules.ts";

const object = (properties: Record<string, unknown>, more: JsonSchema = {}): JsonSchema => ({ type: "object", properties, ...more });
const closed = { additionalProperties: false };

describe("schemas that a vendor takes as they are", () => {
  it.each(["anthropic", "openai", "bedrock", "mistral", "cohere", "groq", "deepseek", "xai", "openrouter", "ollama", "generic"] as const)(
    "%s: not a word is changed",
    (target) => {
      const schema = object(
        { a: { const: 1 }, b: { type: "array", items: { type: "string" }, uniqueItems: true } },
        { required: ["a"], ...closed },
      );
      const adapted = adaptSchema({ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }, target);
      expect(adapted.schema).toEqual(schema);
      expect(adapted.losses).toEqual([]);
      expect(adapted.strict).toBe(false);
    },
  );
});

describe("the root", () => {
  // row: G5, G2
  it("of a union keeps every property, pools values, and requires what all branches require", () => {
    const schema = {
      description: "Do it.",
      anyOf: [
        object({ action: { type: "string", enum: ["get"] }, id: { type: "string" } }, { required: ["action", "id"] }),
        object({ action: { type: "string", enum: ["list"] }, limit: { type: "integer" } }, { required: ["action"] }),
      ],
    };
    for (const target of ["openai", "anthropic"] as const) {
      const { schema: root, losses } = adaptSchema(schema, target);
      expect(root).toMatchObject({
        type: "object",
        properties: { action: { type: "string", enum: ["get", "list"] }, id: { type: "string" }, limit: { type: "integer" } },
        required: ["action"],
      });
      expect(root["description"]).toMatch(/^Do it\. \(give one of: action, id; or action\)$/);
      expect(losses).toEqual([{ path: "", keyword: "anyOf", note: "the branches were merged into one object" }]);
    }
  });

  // row: G2
  it("gets the type and the properties that it lacks", () => {
    expect(adaptSchema({}, "openai").schema).toEqual({ type: "object", properties: {} });
    expect(adaptSchema({ properties: { a: {} } }, "anthropic").schema).toEqual({ type: "object", properties: { a: {} } });
  });

  it("may be a reference to a schema that contains itself", () => {
    const { schema } = adaptSchema({ $ref: "#/$defs/n", $defs: { n: object({ next: { $ref: "#/$defs/n" } }) } }, "openai");
    expect(schema).toMatchObject({ type: "object", properties: { next: { $ref: "#/$defs/n" } } });
  });

  it("has to be an object", () => {
    expect(() => adaptSchema({ type: "string" }, "openai")).toThrow(/must accept an object/);
  });
});

describe("openai-strict", () => {
  const target = "openai-strict";

  // row: G2
  it("requires everything; null stands for absent and is removed again", () => {
    const adapted = adaptSchema(
      object({ a: { type: "string" }, b: { type: "integer", description: "B." } }, { required: ["a"], ...closed }),
      target,
    );
    expect(adapted.schema).toEqual(
      object({ a: { type: "string" }, b: { type: ["integer", "null"], description: "B." } }, { required: ["a", "b"], ...closed }),
    );
    expect(adapted.encode({ a: "x" })).toEqual({ a: "x", b: null });
    expect(adapted.decode({ a: "x", b: null })).toEqual({ a: "x" });
    expect(adapted.strict).toBe(true);
  });

  it("keeps null apart from absent where both are meant", () => {
    const adapted = adaptSchema(object({ mode: { type: ["string", "null"] } }, closed), target);
    expect(adapted.decode(adapted.encode({}))).toEqual({});
    expect(adapted.decode(adapted.encode({ mode: null }))).toEqual({ mode: null });
    expect(adapted.encode({})).not.toEqual(adapted.encode({ mode: null }));
  });

  it("carries maps as entries, and anything as JSON text", () => {
    const schema = object(
      { headers: { type: "object", additionalProperties: { type: "string" } }, body: {}, free: { type: "object" } },
      { required: ["headers", "body", "free"], ...closed },
    );
    const adapted = adaptSchema(schema, target);
    const value = { headers: { "X-A": "1" }, body: [1, { a: null }], free: { any: "thing" } };
    expect(adapted.encode(value)).toEqual({
      headers: { entries: [{ key: "X-A", value: "1" }] },
      body: '[1,{"a":null}]',
      free: '{"any":"thing"}',
    });
    expect(adapted.decode(adapted.encode(value))).toEqual(value);
  });

  it("does not take a wrong value for a carried one", () => {
    const { decode } = adaptSchema(object({ m: { type: "object", additionalProperties: { type: "integer" } } }), target);
    for (const wrong of [[], "x", 5, { a: "1" }, { entries: [1] }]) expect(decode({ m: wrong })).toEqual({ m: wrong });
  });

  it("carries further keys of an object that says it is open", () => {
    const adapted = adaptSchema(object({ a: { type: "string" } }, { required: ["a"], additionalProperties: { type: "integer" } }), target);
    expect(adapted.encode({ a: "x", n: 1 })).toEqual({ a: "x", additional_properties: [{ key: "n", value: 1 }] });
    expect(adapted.decode(adapted.encode({ a: "x", n: 1 }))).toEqual({ a: "x", n: 1 });
  });

  it("drops undeclared keys of an object that says nothing, and notes it; or carries them if asked to", () => {
    const schema = object({ a: { type: "string" } }, { required: ["a"] });
    const dropped = adaptSchema(schema, target);
    expect(dropped.encode({ a: "x", n: 1 })).toEqual({ a: "x" });
    expect(dropped.losses).toContainEqual({ path: "", keyword: "additionalProperties", note: "undeclared keys cannot be given" });
    const carried = adaptSchema(schema, target, { undeclared: "carry" });
    expect(carried.decode(carried.encode({ a: "x", n: 1 }))).toEqual({ a: "x", n: 1 });
  });

  it("keeps recursion", () => {
    const adapted = adaptSchema(
      {
        ...object({ tree: { $ref: "#/$defs/n" } }),
        $defs: { n: object({ v: { type: "string" }, kids: { type: "array", items: { $ref: "#/$defs/n" } } }, { required: ["v"] }) },
      },
      target,
    );
    const value = { tree: { v: "a", kids: [{ v: "b", kids: [{ v: "c" }] }] } };
    expect(adapted.schema["$defs"]).toBeDefined();
    expect(adapted.encode(value)).toEqual({ tree: { v: "a", kids: [{ v: "b", kids: [{ v: "c", kids: null }] }] } });
    expect(adapted.decode(adapted.encode(value))).toEqual(value);
  });

  it("carries what is nested too deeply as JSON text", () => {
    let schema: JsonSchema = { type: "string" };
    let value: unknown = "x";
    for (let depth = 0; depth < 14; depth++) [schema, value] = [object({ n: schema }, { required: ["n"], ...closed }), { n: value }];
    const adapted = adaptSchema(schema, target);
    expect(checkVendorSchema(adapted.schema, target)).toEqual([]);
    expect(adapted.decode(adapted.encode(value))).toEqual(value);
  });

  it("tells in words what it may not say", () => {
    const { schema, losses } = adaptSchema(
      object({ s: { type: "string", minLength: 2, format: "uri", default: "a:b", description: "An address." } }),
      target,
    );
    expect(schema["properties"]).toEqual({
      s: { type: ["string", "null"], description: 'An address. (at least 2 characters; default: "a:b") (format: uri)' },
    });
    expect(losses.map(({ keyword }) => keyword).sort()).toEqual(["additionalProperties", "default", "format", "minLength"]);
  });

  it("keeps properties that stand only inside a condition", () => {
    const schema = object(
      { kind: { type: "string" } },
      { if: { properties: { kind: { const: "a" } } }, else: { properties: { size: { type: "integer" } } } },
    );
    expect(adaptSchema(schema, target).schema["properties"]).toMatchObject({ size: { type: ["integer", "null"] } });
  });

  it("drops the longest lists of values when there are too many in all", () => {
    const list = (count: number): JsonSchema => ({ type: "string", enum: Array.from({ length: count }, (_, i) => `v${i}`) });
    const { schema, losses } = adaptSchema(object({ long: list(900), short: list(50) }, { required: ["long", "short"] }), target);
    expect(checkVendorSchema(schema, target)).toEqual([]);
    expect(schema).toMatchObject({ properties: { long: { type: "string" }, short: { enum: expect.anything() } } });
    expect(losses).toContainEqual(expect.objectContaining({ path: "/properties/long", keyword: "enum" }));
  });
});

describe("anthropic-strict", () => {
  const target = "anthropic-strict";

  it("keeps optional properties optional, and reads a null there as absent", () => {
    const adapted = adaptSchema(object({ a: { type: "string" }, n: { type: ["string", "null"] } }), target);
    expect(adapted.schema).toEqual(object({ a: { type: "string" }, n: { type: ["string", "null"] } }, closed));
    expect(adapted.decode({ a: null, n: null })).toEqual({ n: null });
  });

  it("carries optional properties beyond the budget as JSON text", () => {
    const adapted = adaptSchema(object(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`p${i}`, { type: "integer" }]))), target);
    expect(checkVendorSchema(adapted.schema, target)).toEqual([]);
    const value = { p0: 1, p30: 2, p39: 3 };
    expect(adapted.encode(value)).toEqual({ p0: 1, more_properties: '{"p30":2,"p39":3}' });
    expect(adapted.decode(adapted.encode(value))).toEqual(value);
  });

  it("opens recursion a few levels, and carries the rest as JSON text", () => {
    const adapted = adaptSchema({ ...object({ kids: { type: "array", items: { $ref: "#" } } }, closed) }, target);
    let value: unknown = {};
    for (let depth = 0; depth < 8; depth++) value = { kids: [value] };
    expect(JSON.stringify(adapted.schema)).not.toContain("$ref");
    expect(adapted.decode(adapted.encode(value))).toEqual(value);
  });
});

describe("gemini", () => {
  it("moves keywords that are not read into words, and exclusive bounds of whole numbers by one", () => {
    const { schema } = adaptSchema(object({ n: { type: "integer", exclusiveMinimum: 0, multipleOf: 5 } }), "gemini");
    expect(schema["properties"]).toEqual({ n: { type: "integer", minimum: 1, description: "A multiple of 5." } });
  });

  it("lets references stand only inside properties that are not required", () => {
    const node = object({ v: { type: "string" }, next: { $ref: "#/$defs/n" } }, { required: ["v", "next"] });
    const { schema, losses } = adaptSchema({ ...object({ a: { $ref: "#/$defs/n" } }, { required: ["a"] }), $defs: { n: node } }, "gemini");
    expect(checkVendorSchema(schema, "gemini")).toEqual([]);
    expect(losses).toContainEqual(expect.objectContaining({ keyword: "$ref" }));
  });

  it("opens closed maps whose keys follow a pattern", () => {
    const { schema } = adaptSchema(
      object({ env: { type: "object", patternProperties: { "^[A-Z]+$": { type: "string" } }, ...closed } }),
      "gemini",
    );
    expect(schema["properties"]).toEqual({
      env: { type: "object", additionalProperties: { type: "string" }, description: "Keys matching ^[A-Z]+$." },
    });
  });
});

describe("gemini-openapi", () => {
  const adapt = (property: JsonSchema): unknown =>
    (adaptSchema(object({ p: property }), "gemini-openapi").schema["properties"] as { p: unknown }).p;

  it.each([
    ["literals become one list", { anyOf: [{ const: "a" }, { const: "b" }] }, { type: "string", enum: ["a", "b"] }],
    ["null becomes nullable", { type: ["integer", "null"] }, { type: "integer", nullable: true }],
    [
      "null in a union of lists becomes nullable",
      { anyOf: [{ type: "array", items: { type: "string" } }, { type: "null" }] },
      { type: "array", items: { type: "string" }, nullable: true },
    ],
    [
      "objects are merged",
      { oneOf: [object({ a: { type: "string" } }, { required: ["a"] }), object({ b: { type: "string" } })] },
      object({ a: { type: "string" }, b: { type: "string" } }),
    ],
    [
      "several types stand alone in anyOf",
      { type: ["string", "boolean"], description: "D." },
      { anyOf: [{ type: "string", description: "D." }, { type: "boolean" }] },
    ],
    ["lists of numbers are told in words", { enum: [1, 2] }, { type: "integer", description: "One of: 1,2." }],
    ["formats are told in words", { type: "string", format: "email" }, { type: "string", description: "Format: email." }],
  ])("%s", (_name, property, expected) => {
    expect(adapt(property as JsonSchema)).toEqual(expected);
  });

  it("has a word for null in a list of texts", () => {
    const adapted = adaptSchema(object({ s: { enum: ["asc", null] } }), "gemini-openapi");
    expect(adapted.schema["properties"]).toEqual({ s: { type: "string", enum: ["asc", "(null)"], nullable: true } });
    expect(adapted.decode(adapted.encode({ s: null }))).toEqual({ s: null });
  });
});

describe("anthropic", () => {
  it("renames parameters that it refuses, in the schema and in values", () => {
    const adapted = adaptSchema(object({ "first name": { type: "string" } }, { required: ["first name"], ...closed }), "anthropic");
    const [name] = Object.keys(adapted.schema["properties"] as object);
    expect(name).toMatch(/^first_name_[0-9a-f]{4}$/);
    expect(adapted.encode({ "first name": "Ada" })).toEqual({ [name!]: "Ada" });
    expect(adapted.decode({ [name!]: "Ada" })).toEqual({ "first name": "Ada" });
  });
});

describe("deepseek", () => {
  it("gets one object with pooled values instead of a union", () => {
    const { schema } = adaptSchema(
      object({
        pet: {
          oneOf: [
            object({ kind: { const: "cat" } }, { required: ["kind"] }),
            object({ kind: { const: "dog" }, breed: { type: "string" } }, { required: ["kind"] }),
          ],
        },
      }),
      "deepseek",
    );
    expect(schema["properties"]).toEqual({
      pet: object({ kind: { enum: ["cat", "dog"], type: "string" }, breed: { type: "string" } }, { required: ["kind"] }),
    });
  });
});

describe("every target", () => {
  it.each(schemaTargets)("%s never removes a null that the schema allows, and only strict ones remove others", (target) => {
    const { decode } = adaptSchema(object({ a: { type: "string" }, b: { type: ["string", "null"] } }), target);
    expect(decode({ a: null, b: null })).toEqual(target.endsWith("-strict") ? { b: null } : { a: null, b: null });
  });

  it.each(schemaTargets)("%s takes huge descriptions, odd names and empty schemas", (target) => {
    const schema = object({ "": {}, a: { type: "string", description: "x".repeat(20_000) }, "ü ☃": { type: "array" } });
    const adapted = adaptSchema(schema, target);
    expect(checkVendorSchema(adapted.schema, target)).toEqual([]);
    const value = { "": [null], a: "b", "ü ☃": [1, "two", { three: 3 }] };
    expect(adapted.decode(adapted.encode(value))).toEqual(value);
  });

  it("refuses a target that does not exist, and lists those that do", () => {
    expect(() => adaptSchema({}, "acme" as never)).toThrow(/There is no vendor "acme"\. Use one of anthropic/);
  });
});

describe("hostile schemas", () => {
  const many = <Item>(count: number, make: (index: number) => Item): Item[] => Array.from({ length: count }, (_, index) => make(index));
  const named = (count: number, make: (index: number) => unknown): Record<string, unknown> =>
    Object.fromEntries(many(count, (index) => [`p${index}`, make(index)]));

  it.each([
    ["a root union of 1,500 objects", { anyOf: many(1_500, (index) => object({ kind: { const: `k${index}` } }, { required: ["kind"] })) }],
    ["1,500 schemas in allOf", { allOf: many(1_500, (index) => object({ [`p${index}`]: { type: "string" } })) }],
    [
      "3,000 ways to require one of 3,000 properties",
      object(
        named(3_000, () => ({ type: "string" })),
        { anyOf: many(3_000, (index) => ({ required: [`p${index}`] })) },
      ),
    ],
    [
      "sixty definitions that all use each other",
      {
        ...object({ a: { $ref: "#/$defs/p0" } }),
        $defs: named(60, (from) => object(named(20, (to) => ({ $ref: `#/$defs/p${(from + to * 3 + 1) % 60}` })))),
      },
    ],
  ])("%s are adapted in moments", (_name, schema) => {
    for (const target of ["openai", "anthropic-strict", "gemini-openapi"] as const) {
      const start = cpuTime();
      expect(checkVendorSchema(adaptSchema(schema, target).schema, target)).toEqual([]);
      expect(cpuTime() - start).toBeLessThan(20_000);
    }
  });
});
