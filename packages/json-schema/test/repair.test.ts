import fc from "fast-check";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { repairValue } from "../src/repair.ts";
import { validatorFor } from "../src/validate/validate.ts";
import { randomSchemas } from "./validate/engine/random-schema.ts";
import { deepFreeze } from "./util/deep-freeze.ts";

const schema = {
  type: "object",
  properties: {
    limit: { type: "integer" },
    ratio: { type: "number" },
    deep: { type: "boolean" },
    name: { type: "string" },
    tags: { type: "array", items: { type: "string" } },
    sizes: { type: "array", items: { type: "integer" } },
    filter: { type: "object", properties: { age: { type: "integer" } }, required: ["age"] },
    page: { $ref: "#/$defs/page" },
    either: { anyOf: [{ type: "integer" }, { type: "null" }] },
    level: { enum: [1, 2, 3] },
    code: { enum: ["5", "6"] },
  },
  $defs: { page: { type: "object", properties: { number: { type: "integer" } } } },
};

describe("repairValue", () => {
  it.each<[what: string, value: unknown, repaired: unknown, repairs: string[]]>([
    ["a number in quotes", { limit: "5" }, { limit: 5 }, ['limit: "5" was read as 5.']],
    ["a number among blanks", { ratio: " -1.5e3 " }, { ratio: -1500 }, ['ratio: " -1.5e3 " was read as -1500.']],
    ["true and false in quotes", { deep: "false" }, { deep: false }, ['deep: "false" was read as false.']],
    ["a number for a text", { name: 5 }, { name: "5" }, ['name: 5 was read as "5".']],
    ["a lone value for a list", { tags: "a" }, { tags: ["a"] }, ['tags: "a" was read as a list of 1.']],
    ["JSON text for a list", { tags: '["a","b"]' }, { tags: ["a", "b"] }, ['tags: "[\\"a\\",\\"b\\"]" was read as a list of 2.']],
    [
      "JSON text for an object",
      { filter: '{"age":5}' },
      { filter: { age: 5 } },
      ['filter: "{\\"age\\":5}" was read as an object with age.'],
    ],
    ["JSON text for the whole input", '{"limit":5}', { limit: 5 }, ['The input: "{\\"limit\\":5}" was read as an object with limit.']],
    ["a fault behind a reference", { page: { number: "2" } }, { page: { number: 2 } }, ['page.number: "2" was read as 2.']],
    ["a fault in an item", { sizes: [1, "2"] }, { sizes: [1, 2] }, ['sizes[1]: "2" was read as 2.']],
    ["an alternative of types", { either: "7" }, { either: 7 }, ['either: "7" was read as 7.']],
    ["a choice of numbers", { level: "2" }, { level: 2 }, ['level: "2" was read as 2.']],
    ["a choice of texts", { code: 5 }, { code: "5" }, ['code: 5 was read as "5".']],
  ])("repairs %s and says so", (_what, value, repaired, repairs) => {
    expect(repairValue(schema, value)).toEqual({ value: repaired, repairs });
  });

  it("repairs what a first repair brings to light", () => {
    expect(repairValue(schema, { sizes: "7" })).toEqual({
      value: { sizes: [7] },
      repairs: ['sizes: "7" was read as a list of 1.', 'sizes[0]: "7" was read as 7.'],
    });
    expect(repairValue(schema, { filter: '{"age":"5"}' }).value).toEqual({ filter: { age: 5 } });
  });

  it("repairs several faults of one input together, and leaves the rest as it is", () => {
    const nested = { untouched: true };
    const { value, repairs } = repairValue(schema, { limit: "5", tags: "a", filter: { age: "9" }, other: nested });
    expect(value).toEqual({ limit: 5, tags: ["a"], filter: { age: 9 }, other: nested });
    expect((value as { other: unknown }).other).toBe(nested);
    expect(repairs).toHaveLength(3);
  });

  it.each([
    ["a text that only begins with a number", { limit: "5 apples" }],
    ["a number that would lose digits", { limit: "12345678901234567890" }],
    ["an empty text", { limit: "" }],
    ["a fraction for a whole number", { limit: "1.5" }],
    ["another word for true", { deep: "yes" }],
    ["a list for a lone value", { limit: [5] }],
    ["null for a list", { tags: null }],
    ["JSON text of the wrong kind", { filter: "[1]" }],
    ["broken JSON text", { filter: '{"age":5' }],
    ["one fault beside another that cannot be repaired", { limit: "5", deep: "perhaps" }],
    ["a repair that would leave a fault", { filter: '{"age":"old"}' }],
    ["what is missing", { filter: {} }],
    ["nothing at all", undefined],
  ])("leaves %s alone", (_what, value) => {
    const result = repairValue(schema, value);
    expect(result.value).toBe(value);
    expect(result.repairs).toEqual([]);
  });

  it("leaves a valid value alone, even where another reading would be valid too", () => {
    const value = { either: null, name: "5", tags: ["[1]"] };
    expect(repairValue(schema, value)).toEqual({ value, repairs: [] });
    expect(repairValue({ type: ["string", "integer"] }, "5")).toEqual({ value: "5", repairs: [] });
  });

  it("reads keys named like inherited ones without harm", () => {
    const odd = { properties: { constructor: { type: "integer" } }, additionalProperties: { type: "integer" } };
    const value = JSON.parse('{"__proto__":"1","constructor":"2"}') as object;
    const repaired = repairValue(odd, value).value as object;
    expect(JSON.stringify(repaired)).toBe('{"__proto__":1,"constructor":2}');
    expect(Object.getPrototypeOf(repaired)).toBe(Object.prototype);
  });

  it("only ever turns an invalid value into a valid one, and never touches what it was given", () => {
    const { schema: schemas, value: values } = randomSchemas(["a", "b", "c"]);
    fc.assert(
      fc.property(schemas, values, fc.boolean(), (anySchema, anyValue, asText) => {
        const given: unknown = deepFreeze(asText ? JSON.stringify(anyValue) : anyValue);
        const before = JSON.stringify(given);
        const { check } = validatorFor(anySchema);
        const { value, repairs } = repairValue(anySchema, given);
        expect(JSON.stringify(given)).toBe(before);
        if (repairs.length === 0) expect(value).toBe(given);
        else expect([check(given), check(value)]).toEqual([false, true]);
      }),
      { numRuns: sized(500, 2_000) },
    );
  });

  it("finds the value again that was written a little wrong", () => {
    const inputs = fc.record(
      {
        limit: fc.integer(),
        deep: fc.boolean(),
        tags: fc.array(fc.stringMatching(/^[a-z]+$/), { minLength: 2 }),
        filter: fc.record({ age: fc.nat() }),
        page: fc.record({ number: fc.nat() }),
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    fc.assert(
      fc.property(inputs, (input) => {
        const wrong = Object.fromEntries(Object.entries(input).map(([key, part]) => [key, JSON.stringify(part)]));
        expect(repairValue(schema, wrong).value).toEqual(input);
        expect(repairValue(schema, JSON.stringify(wrong)).value).toEqual(input);
      }),
    );
  });
});
