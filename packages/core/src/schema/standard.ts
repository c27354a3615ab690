import type { StandardSchemaV1 } from "@standard-schema/spec";
import { ToolError } from "../errors.ts";
import { isObject } from "../util/json.ts";
import type { JsonSchema } from "./schema.ts";

export interface ConvertedSchema {
  readonly schema: unknown;
  /** The original schema's own check: kept only where it does more than its JSON Schema can say. */
  readonly parse?: InputParser;
}

/** Returns the handler's input, transformed, or the faults. */
export type InputParser = (input: unknown) => StandardSchemaV1.Result<unknown> | Promise<StandardSchemaV1.Result<unknown>>;

export function isStandardSchema(schema: unknown): schema is StandardSchemaV1 {
  return (
    (typeof schema === "object" || typeof schema === "function") &&
    schema !== null &&
    "~standard" in schema &&
    isObject(schema["~standard"])
  );
}

/**
 * Turns a Standard Schema (Zod, Valibot, ArkType …) into JSON Schema, once.
 * The original is not kept unless it transforms or refines, or that cannot be told: a Zod object costs 50 times its JSON Schema.
 */
export function fromStandardSchema(schema: StandardSchemaV1): ConvertedSchema {
  const standard = schema["~standard"] as StandardSchemaV1["~standard"] & {
    readonly jsonSchema?: { input(options: { target: string }): unknown };
  };
  if (standard.jsonSchema === undefined) throw new ToolError("SCHEMA_UNCONVERTIBLE", unconvertible(standard.vendor));
  let converted: unknown;
  try {
    converted = standard.jsonSchema.input({ target: "draft-2020-12" });
  } catch (error) {
    throw new ToolError(
      "SCHEMA_UNCONVERTIBLE",
      `The ${standard.vendor} schema has a part that JSON Schema cannot express: ${(error as Error).message}`,
      { cause: error },
    );
  }
  const plain = withoutSchemaUri(converted);
  return isPlainZod(schema) ? { schema: plain } : { schema: plain, parse: (input) => standard.validate(input) };
}

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

/** The kinds of Zod schema that JSON Schema says completely. */
const plainZodTypes = new Set(
  "string number int boolean null undefined any unknown never array object union intersection tuple record enum literal nullable optional nonoptional readonly default prefault".split(
    " ",
  ),
);
const plainZodChecks = new Set(
  "less_than greater_than multiple_of number_format string_format min_length max_length length_equals max_size min_size".split(" "),
);

interface ZodDefinition {
  readonly type: string;
  readonly coerce?: boolean;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly check: string } } }[];
  readonly [part: string]: unknown;
}

/** True when a Zod schema neither transforms nor refines, as far as its definition tells. */
function isPlainZod(schema: unknown, visited: Set<unknown> = new Set()): boolean {
  if (visited.has(schema)) return true;
  visited.add(schema);
  const definition = isObject(schema) && isObject(schema["_zod"]) ? (schema["_zod"]["def"] as ZodDefinition | undefined) : undefined;
  if (definition === undefined || !plainZodTypes.has(definition.type) || definition.coerce === true) return false;
  if (definition.checks?.some((check) => !plainZodChecks.has(check._zod.def.check))) return false;
  const { element, shape, catchall, options, left, right, items, rest, keyType, valueType, innerType } = definition;
  const parts = [
    element,
    catchall,
    left,
    right,
    rest,
    keyType,
    valueType,
    innerType,
    ...list(options),
    ...list(items),
    ...(isObject(shape) ? Object.values(shape) : []),
  ];
  return parts.every((part) => part === undefined || part === null || isPlainZod(part, visited));
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
