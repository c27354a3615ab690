// row: A2
import type { InferSchema, JsonSchema } from "@toolrack/json-schema";
import { defineTool } from "../../src/tool/tool.ts";
import type { Equal, Expect, Flat } from "./expect.ts";

export type Leaves = [
  Expect<Equal<InferSchema<{ type: "string" }>, string>>,
  Expect<Equal<InferSchema<{ type: "integer" }>, number>>,
  Expect<Equal<InferSchema<{ type: "number"; minimum: 5 }>, number>>,
  Expect<Equal<InferSchema<{ type: "boolean" }>, boolean>>,
  Expect<Equal<InferSchema<{ type: "null" }>, null>>,
  Expect<Equal<InferSchema<{ type: readonly ["string", "null"] }>, string | null>>,
  Expect<Equal<InferSchema<{ enum: readonly ["a", "b", 3] }>, "a" | "b" | 3>>,
  Expect<Equal<InferSchema<{ type: "string"; enum: readonly ["a"] }>, "a">>,
  Expect<Equal<InferSchema<{ const: 5 }>, 5>>,
  Expect<Equal<InferSchema<{ readonly const: { readonly a: readonly [1, { readonly b: 2 }] } }>, { a: [1, { b: 2 }] }>>,
  Expect<Equal<InferSchema<{ readonly enum: readonly [readonly ["a"], null] }>, ["a"] | null>>,
  Expect<Equal<InferSchema<true>, unknown>>,
  Expect<Equal<InferSchema<{ description: "anything" }>, unknown>>,
];

export type Lists = [
  Expect<Equal<InferSchema<{ type: "array"; items: { type: "string" } }>, string[]>>,
  Expect<Equal<InferSchema<{ type: "array" }>, unknown[]>>,
  Expect<Equal<InferSchema<{ type: "array"; prefixItems: readonly [{ type: "string" }, { type: "null" }]; minItems: 2 }>, [string, null]>>,
  Expect<Equal<InferSchema<{ type: "array"; prefixItems: readonly [{ type: "string" }] }>, [string?]>>,
];

export type Objects = [
  Expect<
    Equal<
      InferSchema<{ type: "object"; properties: { a: { type: "string" }; b: { type: "integer" } }; required: readonly ["a"] }>,
      { a: string; b?: number }
    >
  >,
  Expect<Equal<InferSchema<{ properties: { limit: { type: "integer"; default: 5 } } }>, { limit: number }>>,
  Expect<Equal<InferSchema<{ type: "object"; additionalProperties: { type: "number" } }>, Record<string, number>>>,
  Expect<Equal<InferSchema<{ type: "object"; patternProperties: { "^a": { type: "number" } } }>, Record<string, number>>>,
  Expect<Equal<InferSchema<{ type: "object" }>, Record<string, unknown>>>,
];

/** As `as const` and `defineTool` write a literal. */
export type ReadonlySchemas = [
  Expect<
    Equal<
      InferSchema<{
        readonly type: "object";
        readonly properties: {
          readonly list: { readonly type: "array"; readonly items: { readonly properties: { readonly a: { readonly type: "string" } } } };
          readonly pair: { readonly type: "array"; readonly items: readonly [{ readonly type: "string" }]; readonly minItems: 1 };
        };
        readonly required: readonly ["pair"];
      }>,
      { list?: { a?: string }[]; pair: [string] }
    >
  >,
];

export type Combinations = [
  Expect<Equal<InferSchema<{ anyOf: readonly [{ type: "string" }, { type: "null" }] }>, string | null>>,
  Expect<Equal<InferSchema<{ oneOf: readonly [{ const: "a" }, { const: "b" }] }>, "a" | "b">>,
  Expect<
    Equal<
      InferSchema<{ type: "object"; properties: { a: { type: "string" } }; anyOf: readonly [{ required: readonly ["a"] }] }>,
      { a?: string }
    >
  >,
  Expect<
    Equal<
      Flat<
        InferSchema<{
          allOf: readonly [{ properties: { a: { type: "string" } }; required: readonly ["a"] }, { properties: { b: { type: "null" } } }];
        }>
      >,
      { a: string; b?: null }
    >
  >,
];

export type Unknowns = [
  // A schema that is only known at run time says nothing to the compiler.
  Expect<Equal<InferSchema<JsonSchema>, any>>,
  Expect<Equal<InferSchema<{ type: string; properties: { a: { type: string } } }>, any>>,
];

export const search = defineTool({
  name: "search",
  description: "Searches.",
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string" },
      limit: { type: "integer", default: 5 },
      mode: { type: "string", enum: ["fast", "deep"] },
      filters: { type: "array", items: { type: "object", properties: { key: { type: "string" }, value: {} }, required: ["key"] } },
    },
    required: ["query"],
    additionalProperties: false,
  },
  handler(input) {
    type Filter = { key: string; value?: unknown };
    type Input = { query: string; limit: number; mode?: "fast" | "deep"; filters?: Filter[] };
    type Same = Expect<Equal<typeof input, Input>>;
    const same: Same = true;
    // @ts-expect-error -- a misspelt parameter
    void input.qurey;
    // @ts-expect-error -- an optional one may be missing
    void input.mode.length;
    // @ts-expect-error -- not one of the choices
    void (input.mode === "slow");
    return `${input.query} ${input.limit.toFixed()} ${input.filters?.[0]?.key} ${String(same)}`;
  },
});

const known: JsonSchema = JSON.parse("{}");

/** A schema that is known only at run time takes a handler of any input. */
export const late = defineTool({ name: "late", description: "", inputSchema: known, handler: (input: { a: string }) => input.a });

const widened = { type: "object", properties: { a: { type: "string" } } };

export const loose = defineTool({ name: "loose", description: "", inputSchema: widened, handler: (input: { a: string }) => input.a });

// @ts-expect-error -- a text is no schema
defineTool({ name: "no", description: "", inputSchema: "object", handler: () => "" });

// @ts-expect-error -- the handler is missing
defineTool({ name: "no", description: "", inputSchema: { type: "object" } });

defineTool({
  name: "no",
  description: "",
  inputSchema: { type: "object", properties: { a: { type: "string" } } },
  // @ts-expect-error -- the schema says something else
  handler: (input: { a: number }) => String(input.a),
});
