import { ToolError } from "../../errors.ts";
import { normalizeSchema } from "../../schema/normal/normal.ts";
import { usedKeywords, without } from "../../schema/normal/walk.ts";
import { readSchema } from "../../schema/read-schema.ts";
import type { JsonSchema } from "../../schema/schema.ts";
import { checkVendorSchema } from "../rules/check.ts";
import { type Dialect, dialectFor, looseTarget, type SchemaTarget } from "./dialects.ts";
import { createContext, type Loss, runPasses } from "./pass.ts";
import { shapeSchema } from "./shape.ts";
import type { ShapeRules } from "./shaper.ts";

/** A schema as one vendor takes it, and the way there and back for values. */
export interface AdaptedSchema {
  readonly schema: JsonSchema;
  /** A value valid under the original schema, in the form of the adapted one. */
  readonly encode: (value: unknown) => unknown;
  /** What a model gave, in the form of the original schema. Always validate the outcome against the original. */
  readonly decode: (value: unknown) => unknown;
  readonly losses: readonly Loss[];
  /** Whether the schema may be sent with the vendor's strict flag. */
  readonly strict: boolean;
}

export interface AdaptOptions {
  /**
   * Keys that an object does not declare and does not rule out. Strict vendors cannot take them: they are dropped by `encode`
   * and noted as a loss, or carried in one more property of every such object. @default "drop"
   */
  readonly undeclared?: "drop" | "carry";
  /** Values keep their form: what the vendor cannot express is loosened instead of carried. For targets that are not strict. @default false */
  readonly plain?: boolean;
}

const known = new WeakMap<object, Map<string, AdaptedSchema>>();

/**
 * Adapts a tool's input schema to a vendor. Every value valid under the original is, through `encode`, valid under the adapted schema.
 * Throws SCHEMA_INVALID for a schema that cannot be read.
 */
export function adaptSchema(schema: unknown, target: SchemaTarget, options?: AdaptOptions): AdaptedSchema {
  const dialect = dialectFor(target);
  const read = readSchema(schema);
  const key = `${target} ${options?.undeclared ?? "drop"} ${options?.plain ?? false}`;
  const cached = known.get(read)?.get(key);
  if (cached !== undefined) return cached;
  const adapted = withinRules(adapt(read, dialect, options), target) ?? fallBack(read, target, options);
  // Only a schema that was read before is frozen, so that its identity stands for its content.
  if (schema === read) {
    const byTarget = known.get(read) ?? new Map<string, AdaptedSchema>();
    known.set(read, byTarget.set(key, adapted));
  }
  return adapted;
}

/** A strict schema may still be too large for the vendor. */
function withinRules(adapted: AdaptedSchema, target: SchemaTarget): AdaptedSchema | undefined {
  return adapted.strict && checkVendorSchema(adapted.schema, target).length > 0 ? undefined : adapted;
}

function fallBack(read: JsonSchema, target: SchemaTarget, options: AdaptOptions | undefined): AdaptedSchema {
  const adapted = adapt(read, dialectFor(looseTarget(target)), options);
  const loss: Loss = { path: "", keyword: "strict", note: "not strict, because the schema is larger than strict mode allows" };
  return { ...adapted, losses: [loss, ...adapted.losses] };
}

function adapt(original: JsonSchema, dialect: Dialect, options: AdaptOptions | undefined): AdaptedSchema {
  const context = createContext();
  try {
    let schema =
      dialect.takesMost && !needsNormalForm(original, dialect) ? without(original, ...bookkeeping) : normalizeSchema(original).schema;
    schema = runPasses(dialect.passes, schema, context);
    const rules: ShapeRules | undefined =
      dialect.shape && (dialect.needsShape?.(schema) ?? true)
        ? { ...dialect.shape, undeclared: options?.undeclared ?? "drop", plain: !dialect.strict && options?.plain === true }
        : undefined;
    const shaped = rules === undefined ? { schema } : shapeSchema(schema, rules, context);
    schema = runPasses(dialect.spelling ?? [], shaped.schema, context);
    const codec = "codec" in shaped ? shaped.codec : undefined;
    return { schema, encode: codec?.encode ?? identity, decode: codec?.decode ?? identity, losses: context.losses, strict: dialect.strict };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ToolError("SCHEMA_INVALID", "The schema is nested too deeply to be adapted. Flatten it, or split the tool.");
  }
}

const bookkeeping = ["$schema", "$id", "$comment", "$vocabulary", "$anchor", "$dynamicAnchor"];
const unusual = [
  "$ref",
  "$dynamicRef",
  "allOf",
  "nullable",
  "dependencies",
  "additionalItems",
  "items[]",
  "true",
  "false",
  "$defs",
  "definitions",
];

/** Whatever has to be folded into a plain object at the root. */
const onRoot = ["anyOf", "oneOf", "not", "enum", "const"];

/** Plain schemas reach vendors that take most things in their author's words. */
function needsNormalForm(schema: JsonSchema, { normalFor = [] }: Dialect): boolean {
  if (onRoot.some((keyword) => Object.hasOwn(schema, keyword))) return true;
  const used = usedKeywords(schema);
  return unusual.some((keyword) => used.has(keyword)) || normalFor.some((keyword) => used.has(keyword));
}

function identity<Value>(value: Value): Value {
  return value;
}
