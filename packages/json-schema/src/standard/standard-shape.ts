import type { StandardSchemaV1 } from "@standard-schema/spec";
import { SchemaError } from "../errors.ts";
import { isObject } from "../util/json.ts";
import { readSchemaShape } from "../schema/read-shape.ts";
import type { JsonSchema } from "../schema/schema.ts";

export function isStandardSchema(schema: unknown): schema is StandardSchemaV1 {
  return (
    (typeof schema === "object" || typeof schema === "function") &&
    schema !== null &&
    "~standard" in schema &&
    isObject(schema["~standard"])
  );
}

/** Turns a Standard Schema (Zod, Valibot, ArkType …) into JSON Schema, of whose patterns only the spelling is checked. */
export function standardShape(schema: StandardSchemaV1): JsonSchema {
  const standard = schema["~standard"] as StandardSchemaV1["~standard"] & {
    readonly jsonSchema?: { input(options: { target: string; libraryOptions?: unknown }): unknown };
  };
  if (standard.jsonSchema === undefined) throw new SchemaError("SCHEMA_UNCONVERTIBLE", unconvertible(standard.vendor));
  let converted: unknown;
  try {
    converted = standard.jsonSchema.input({ target: "draft-2020-12", libraryOptions: libraryOptions.get(standard.vendor) });
  } catch (error) {
    throw new SchemaError(
      "SCHEMA_UNCONVERTIBLE",
      `The ${standard.vendor} schema has a part that JSON Schema cannot express: ${(error as Error).message}`,
      { cause: error },
    );
  }
  return readSchemaShape(withoutSchemaUri(converted));
}

/** Valibot stops at an action that JSON Schema has no words for, such as `trim`; the schema applies it itself after the check. */
const libraryOptions = new Map([
  ["valibot", { overrideAction: ({ jsonSchema, errors }: { jsonSchema: unknown; errors: unknown }) => errors && jsonSchema }],
]);

function withoutSchemaUri(converted: unknown): JsonSchema {
  const { $schema: _, ...schema } = converted as JsonSchema;
  return schema;
}

function unconvertible(vendor: string): string {
  const converter = new Map([
    ["valibot", "wrap it: toStandardJsonSchema(schema) from @valibot/to-json-schema"],
    ["zod", "use Zod 4.2 or newer"],
    ["arktype", "use ArkType 2.1.28 or newer"],
    ["effect", "wrap it: Schema.toStandardJSONSchemaV1(schema) from effect"],
  ]).get(vendor);
  return `The ${vendor} schema cannot describe itself as JSON Schema; ${converter ?? `convert it with ${vendor}'s JSON Schema converter and pass the result`}.`;
}
