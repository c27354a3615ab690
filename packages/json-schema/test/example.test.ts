import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleOf } from "../src/example.ts";
import { validatorFor } from "../src/validate/validate.ts";
import { randomSchemas } from "./validate/engine/random-schema.ts";

describe("exampleOf", () => {
  it.each<[what: string, schema: Record<string, unknown>, example: unknown]>([
    ["required properties only", { type: "object", properties: { a: { type: "string" }, b: {} }, required: ["a"] }, { a: "text" }],
    ["constants", { properties: { a: { const: 7 } }, required: ["a"] }, { a: 7 }],
    ["defaults", { type: "integer", default: 5 }, 5],
    ["examples", { type: "string", examples: ["Berlin"] }, "Berlin"],
    ["the first choice", { enum: ["red", "blue"] }, "red"],
    ["the first of several types", { type: ["boolean", "null"] }, true],
    ["the first alternative", { anyOf: [{ type: "null" }, { type: "string" }] }, null],
    ["texts of the right length", { type: "string", minLength: 6, maxLength: 8 }, "textxx"],
    ["short texts", { type: "string", maxLength: 2 }, "te"],
    ["texts of a format", { type: "string", format: "date" }, "2026-01-31"],
    ["numbers within limits", { type: "integer", minimum: 10 }, 10],
    ["numbers above a limit", { type: "integer", exclusiveMinimum: 10, multipleOf: 5 }, 15],
    ["numbers below a limit", { type: "integer", maximum: -3 }, -3],
    ["lists that are long enough", { type: "array", items: { type: "boolean" }, minItems: 2 }, [true, true]],
    ["lists of a fixed form", { type: "array", prefixItems: [{ type: "null" }, { type: "string" }], minItems: 2 }, [null, "text"]],
    [
      "what a reference leads to",
      { properties: { a: { $ref: "#/$defs/n" } }, required: ["a"], $defs: { n: { type: "integer" } } },
      { a: 1 },
    ],
    ["what several parts say together", { allOf: [{ properties: { a: { type: "integer" } } }, { required: ["a"] }] }, { a: 1 }],
    [
      "properties beside an alternative",
      { properties: { a: { type: "null" } }, required: ["a"], oneOf: [{ required: ["b"] }] },
      { a: null, b: {} },
    ],
    ["names that objects inherit", { required: ["constructor"], properties: { constructor: { type: "integer" } } }, { constructor: 1 }],
  ])("has %s", (_what, schema, example) => {
    expect(exampleOf(schema)).toEqual(example);
  });

  it("has what an action of its own requires", () => {
    const schema = {
      properties: { action: { enum: ["grep", "list"] }, pattern: { type: "string" } },
      required: ["action"],
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword
      allOf: [{ if: { properties: { action: { const: "grep" } } }, then: { required: ["pattern"] } }],
    };
    expect(exampleOf(schema)).toEqual({ action: "grep", pattern: "text" });
  });

  it("is undefined where no valid value can be guessed", () => {
    expect(exampleOf({ type: "string", pattern: "^[0-9]{3}$" })).toBeUndefined();
    expect(exampleOf({ type: "object", properties: { a: { $ref: "#" } }, required: ["a"] })).toBeUndefined();
    const names = Array.from({ length: 30 }, (_, index) => `p${index}`);
    expect(exampleOf({ properties: Object.fromEntries(names.map((name) => [name, { $ref: "#" }])), required: names })).toBeUndefined();
  });

  it("is valid whenever there is one", () => {
    fc.assert(
      fc.property(randomSchemas(["a", "b", "constructor"]).schema, (schema) => {
        const example = exampleOf(schema);
        if (example !== undefined) expect(validatorFor(schema).check(example)).toBe(true);
      }),
    );
  });
});
