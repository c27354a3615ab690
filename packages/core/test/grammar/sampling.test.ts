import fc from "fast-check";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { validatorFor } from "@toolrack/json-schema";
import { toGbnf, toGbnfWithReport } from "../../src/grammar/gbnf.ts";
import { toolCallGrammar } from "../../src/grammar/tool-call.ts";
import { readGbnf } from "./gbnf-recogniser.ts";
import { createSampler } from "./sample.ts";

/** Samples that are no JSON, or no value of the schema. */
function wrongSamples(schema: object, grammar: string, count: number, seed: number): string[] {
  const sample = createSampler(readGbnf(grammar), seed);
  const validator = validatorFor(schema);
  const wrong: string[] = [];
  for (let index = 0; index < count; index++) {
    const text = sample();
    if (!validator.check(parse(text))) wrong.push(text);
  }
  return wrong;
}

const unreadable = Symbol("unreadable");

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return unreadable;
  }
}

const order = {
  type: "object",
  properties: {
    id: { type: "string", format: "uuid" },
    sku: { type: "string", pattern: "^[A-Z]{3}-\\d{2,4}$" },
    note: { type: "string", minLength: 1, maxLength: 12 },
    when: { type: "string", format: "date-time" },
    to: { type: "string", format: "ipv6" },
    link: { type: "string", format: "uri" },
    price: { type: "number", exclusiveMinimum: 0, maximum: 99.5 },
    count: { type: "integer", minimum: -3, maximum: 120 },
    step: { type: "integer", multipleOf: 15, minimum: 0 },
    ratio: { type: "number", minimum: -1, exclusiveMaximum: 1 },
    cents: { type: "number", multipleOf: 0.05, minimum: 0, maximum: 20 },
    kind: { enum: ["a", 'q"\\', 1, null] },
    days: { type: "array", items: { enum: ["mon", "tue", "wed"] }, uniqueItems: true, minItems: 1 },
    pair: { type: "array", prefixItems: [{ type: "number" }, { type: "boolean" }], items: false, minItems: 2 },
    env: { type: "object", patternProperties: { "^[A-Z_]+$": { type: "string" } }, additionalProperties: false },
    tree: { $ref: "#/$defs/Tree" },
    any: {},
  },
  required: ["id", "price"],
  dependentRequired: { sku: ["note"] },
  if: { properties: { kind: { const: "a" } }, required: ["kind"] },
  then: { required: ["days"] },
  additionalProperties: false,
  $defs: { Tree: { type: "object", properties: { left: { $ref: "#/$defs/Tree" }, value: { type: "integer" } }, required: ["value"] } },
};

describe("texts sampled from a grammar", () => {
  // row: G16
  it("are values of the schema", () => {
    expect(wrongSamples(order, toGbnf(order), sized(2_000, 10_000), 1)).toEqual([]);
  });

  // row: G16
  it("are calls of the tools", () => {
    const tools = [
      { name: "order", inputSchema: order },
      { name: "list", inputSchema: { type: "object" } },
    ];
    const call = (name: string, inputSchema: object): object => ({
      properties: { name: { const: name }, arguments: { ...inputSchema } },
      required: ["name", "arguments"],
    });
    const { $defs, ...input } = order;
    const schema = { type: "array", minItems: 1, items: { anyOf: [call("order", input), call("list", { type: "object" })] }, $defs };
    expect(wrongSamples(schema, toolCallGrammar(tools, { parallel: true }), 500, 2)).toEqual([]);
  });

  it("are values of any schema that lost nothing", () => {
    fc.assert(
      fc.property(anySchema, fc.integer(), (schema, seed) => {
        const { grammar, losses } = toGbnfWithReport(schema);
        if (losses.length === 0) expect(wrongSamples(schema, grammar, 20, seed)).toEqual([]);
        else readGbnf(grammar);
      }),
      { numRuns: sized(100, 300), seed: 7 },
    );
  });
});

const small = fc.integer({ min: -30, max: 30 });
const size = fc.integer({ min: 0, max: 6 });
const name = fc.constantFrom("a", "b", "ab", "id", "name", "x-y", 'q"', "é");
const bounds = (low: string, high: string, of: fc.Arbitrary<number>): fc.Arbitrary<object> =>
  fc.tuple(of, of, fc.boolean(), fc.boolean()).map(([one, other, hasLow, hasHigh]) => ({
    ...(hasLow && { [low]: Math.min(one, other) }),
    ...(hasHigh && { [high]: Math.max(one, other) }),
  }));
const patterns = fc.constantFrom("^[a-z]+$", "\\d", "^x|y$", "^(?!no)", "^.{2,5}$", "[^a]b?$", "^(ab|cd)*$", "\\bok\\b", "^\\p{L}+$");

const { anySchema } = fc.letrec<{ anySchema: object }>((tie) => ({
  anySchema: fc.oneof(
    { maxDepth: 3 },
    bounds("minLength", "maxLength", size).map((more) => ({ type: "string", ...more })),
    fc.tuple(patterns, bounds("minLength", "maxLength", size)).map(([pattern, more]) => ({ type: "string", pattern, ...more })),
    bounds("minimum", "maximum", small).map((more) => ({ type: "integer", ...more })),
    bounds(
      "exclusiveMinimum",
      "exclusiveMaximum",
      small.map((value) => value / 8),
    ).map((more) => ({ type: "number", ...more })),
    fc
      .tuple(bounds("minimum", "maximum", small), fc.integer({ min: 1, max: 9 }))
      .map(([more, multipleOf]) => ({ type: "integer", ...more, multipleOf })),
    fc
      .uniqueArray(fc.oneof(fc.string(), small, fc.boolean(), fc.constant(null)), { minLength: 1, maxLength: 5 })
      .map((values) => ({ enum: values })),
    fc.constantFrom(
      {},
      { type: "boolean" },
      { type: ["string", "null"] },
      { type: "string", format: "date" },
      { type: "string", format: "ipv4" },
    ),
    fc.tuple(tie("anySchema"), bounds("minItems", "maxItems", size)).map(([items, more]) => ({ type: "array", items, ...more })),
    fc
      .tuple(fc.array(tie("anySchema"), { minLength: 1, maxLength: 3 }), fc.boolean())
      .map(([prefixItems, closed]) => ({ type: "array", prefixItems, ...(closed && { items: false }) })),
    fc
      .tuple(
        fc.dictionary(name, tie("anySchema"), { maxKeys: 4 }),
        fc.subarray(["a", "b", "id"]),
        fc.constantFrom(undefined, false, { type: "integer" }),
      )
      .map(([properties, required, rest]) => ({
        type: "object",
        properties,
        required: required.filter((key) => Object.hasOwn(properties, key)),
        ...(rest !== undefined && { additionalProperties: rest }),
      })),
    fc.array(tie("anySchema"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.array(tie("anySchema"), { minLength: 1, maxLength: 2 }).map((oneOf) => ({ oneOf })),
    fc.tuple(tie("anySchema"), tie("anySchema")).map(([one, other]) => ({ allOf: [one, other] })),
    fc.tuple(tie("anySchema"), tie("anySchema")).map(([one, not]) => ({ allOf: [one], not })),
  ),
}));
