import type { JsonSchema } from "@toolrack/json-schema";

export interface SchemaSample {
  readonly schema: JsonSchema;
  /** Values that the schema accepts. */
  readonly values: readonly unknown[];
}

const object = (properties: Record<string, unknown>, more: JsonSchema = {}): JsonSchema => ({ type: "object", properties, ...more });
const text = { type: "string" } as const;

/** Schemas with what vendors handle differently, one thing each. */
export const schemaSamples: readonly SchemaSample[] = [
  { schema: { type: "object" }, values: [{}] },
  { schema: {}, values: [{}] },
  { schema: object({ city: text, days: { type: "integer" } }, { required: ["city"] }), values: [{ city: "Oslo" }, { city: "", days: 3 }] },
  {
    schema: object({ size: { type: "number", exclusiveMinimum: 0, maximum: 5 }, code: { ...text, minLength: 2, pattern: "^[a-z]+$" } }),
    values: [{ size: 0.5 }, { code: "ab" }],
  },
  {
    schema: object({ unit: { enum: ["c", "f"] }, level: { enum: [1, 2] }, mixed: { enum: ["a", 1, null] } }),
    values: [{ unit: "c", level: 2 }],
  },
  { schema: object({ note: { type: ["string", "null"] } }, { required: ["note"] }), values: [{ note: null }, { note: "x" }] },
  { schema: object({ tags: { type: "array" }, list: { type: "array", items: text } }), values: [{ tags: [1, "a"], list: ["b"] }] },
  { schema: object({ pair: { type: "array", prefixItems: [text, { type: "integer" }] } }), values: [{ pair: ["a", 1] }] },
  { schema: object({ headers: { type: "object", additionalProperties: text } }), values: [{ headers: { a: "b" } }, { headers: {} }] },
  { schema: object({ anything: {}, always: true }), values: [{ anything: [1, { a: null }] }, { anything: "x" }] },
  {
    schema: object({ by: { anyOf: [object({ id: { type: "integer" } }, { required: ["id"] }), text] } }),
    values: [{ by: { id: 1 } }, { by: "x" }],
  },
  {
    schema: { type: "object", oneOf: [object({ a: text }, { required: ["a"] }), object({ b: text }, { required: ["b"] })] },
    values: [{ a: "x" }, { b: "y" }],
  },
  {
    schema: object({ node: { $ref: "#/$defs/node" } }, { $defs: { node: object({ name: text, next: { $ref: "#/$defs/node" } }) } }),
    values: [{ node: { name: "a", next: { name: "b" } } }],
  },
  { schema: object({ "a b": text, ü: text }), values: [{ "a b": "x", ü: "y" }] },
  {
    schema: object(
      { kind: text, limit: { type: "integer" } },
      { if: { properties: { kind: { const: "all" } } }, then: { required: ["limit"] } },
    ),
    values: [{ kind: "one" }, { kind: "all", limit: 1 }],
  },
  {
    schema: object({ when: { ...text, format: "date-time" }, link: { ...text, format: "uri" } }),
    values: [{ when: "2026-01-02T03:04:05Z" }],
  },
];
