import { describe, expect, it } from "vitest";
import type { JsonSchema } from "@toolrack/json-schema";
import { schemaTargets } from "../../../src/providers/providers.ts";
import { checkVendorSchema } from "../../../src/providers/rules/rules.ts";

const object = (properties: Record<string, unknown>, more: JsonSchema = {}): JsonSchema => ({ type: "object", properties, ...more });
const closed = (properties: Record<string, unknown>, required = Object.keys(properties)): JsonSchema =>
  object(properties, { required, additionalProperties: false });
const strings = (count: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: "string" }]));

describe.each(schemaTargets)("%s", (target) => {
  it("accepts an object of texts", () => {
    expect(
      checkVendorSchema(target.endsWith("-strict") ? closed({ a: { type: "string" } }) : object({ a: { type: "string" } }), target),
    ).toEqual([]);
  });

  it("refuses a root that is no object", () => {
    expect(checkVendorSchema({ type: "string" }, target)).toContainEqual(expect.objectContaining({ path: "", keyword: "type" }));
  });
});

it.each([
  ["anthropic", "a root union", object({}, { anyOf: [{}] }), "", "anyOf"],
  ["anthropic", "a name outside its alphabet", object({ "a b": {} }), "", "properties"],
  ["openai", "a missing properties", { type: "object" }, "", "properties"],
  ["openai", "a list without items", object({ a: { type: "array" } }), "/properties/a", "items"],
  ["openai", "a root not", object({}, { not: {} }), "", "not"],
  ["openai-strict", "an open object", object({ a: { type: "string" } }, { required: ["a"] }), "", "additionalProperties"],
  ["openai-strict", "an optional property", closed({ a: { type: "string" } }, []), "", "required"],
  ["openai-strict", "oneOf", closed({ a: { oneOf: [{ type: "string" }] } }), "/properties/a", "oneOf"],
  ["openai-strict", "the format uri", closed({ a: { type: "string", format: "uri" } }), "/properties/a", "format"],
  ["openai-strict", "look-ahead", closed({ a: { type: "string", pattern: "^(?=a)" } }), "/properties/a", "pattern"],
  [
    "openai-strict",
    "too many listed values",
    closed({ a: { type: "string", enum: Array.from({ length: 1_001 }, (_, i) => String(i)) } }),
    "",
    "enum",
  ],
  ["openai-strict", "too many properties", closed(strings(5_001)), "", "properties"],
  ["anthropic-strict", "a bound", closed({ a: { type: "integer", minimum: 1 } }), "/properties/a", "minimum"],
  [
    "anthropic-strict",
    "minItems of 2",
    closed({ a: { type: "array", items: { type: "string" }, minItems: 2 } }),
    "/properties/a",
    "minItems",
  ],
  ["anthropic-strict", "recursion", closed({ a: { $ref: "#" } }), "/properties/a", "$ref"],
  [
    "anthropic-strict",
    "an object among the values",
    closed({ a: { type: "object", enum: [{}], additionalProperties: false } }),
    "/properties/a",
    "enum",
  ],
  ["anthropic-strict", "25 optional properties", closed(strings(25), []), "", "required"],
  ["gemini", "required that is not declared", object({}, { required: ["a"] }), "", "required"],
  [
    "gemini",
    "words beside $ref",
    { ...object({ a: { $ref: "#/$defs/n", description: "d" } }), $defs: { n: object({}) } },
    "/properties/a",
    "$ref",
  ],
  [
    "gemini",
    "a cycle through a required property",
    { ...object({ a: { $ref: "#/$defs/n" } }, { required: ["a"] }), $defs: { n: object({}) } },
    "/properties/a",
    "$ref",
  ],
  ["gemini-openapi", "a list of types", object({ a: { type: ["string", "null"] } }), "/properties/a", "type"],
  ["gemini-openapi", "const", object({ a: { type: "string", const: "x" } }), "/properties/a", "const"],
  ["gemini-openapi", "numbers in a list", object({ a: { type: "integer", enum: [1] } }), "/properties/a", "enum"],
  ["gemini-openapi", "company for anyOf", object({ a: { anyOf: [{ type: "string" }], description: "d" } }), "/properties/a", "anyOf"],
  ["gemini-openapi", "an empty text in a list", object({ a: { type: "string", enum: [""] } }), "/properties/a", "enum"],
  ["deepseek", "a union", object({ a: { anyOf: [{ type: "string" }] } }), "/properties/a", "anyOf"],
  ["xai", "maxContains", object({ a: { type: "array", items: {}, contains: {}, maxContains: 1 } }), "/properties/a", "maxContains"],
  ["groq", "a reference to nowhere", object({ a: { $ref: "#/$defs/none" } }), "/properties/a", "$ref"],
] as const)("%s refuses %s", (target, _name, schema, path, keyword) => {
  expect(checkVendorSchema(schema as JsonSchema, target)).toContainEqual(expect.objectContaining({ path, keyword }));
});
