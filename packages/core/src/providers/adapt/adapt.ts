import { type JsonSchema, normalizeSchema, readSchema } from "@toolrack/json-schema";
import { usedKeywords, without } from "@toolrack/json-schema/internal";
import { ToolError } from "../../errors.ts";
import { checkVendorSchema } from "../rules/rules.ts";
import { type Dialect, dialectFor } from "./_dialects.ts";
import { type Loss, looseTarget, type SchemaTarget } from "../provider.ts";
import { type AdaptContext, createContext, runPasses } from "./pass.ts";
import { type ShapedDocument, shapeSchema } from "./shape/shape.ts";

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
  const read = readSchema(schema);
  const key = `${target} ${options?.undeclared ?? "drop"} ${options?.plain ?? false}`;
  const cached = known.get(read)?.get(key);
  if (cached !== undefined) return cached;
  const adapted = adapt(read, target, options);
  // Only a schema that was read before is frozen, so that its identity stands for its content.
  if (schema === read) {
    const byTarget = known.get(read) ?? new Map<string, AdaptedSchema>();
    known.set(read, byTarget.set(key, adapted));
  }
  return adapted;
}

function adapt(original: JsonSchema, target: SchemaTarget, options: AdaptOptions | undefined): AdaptedSchema {
  const dialect = dialectFor(target);
  const context = createContext();
  try {
    const start =
      dialect.takesMost && !needsNormalForm(original, dialect) ? without(original, ...bookkeeping) : normalizeSchema(original).schema;
    const loosened = runPasses(dialect.passes, start, context);
    const shaped = shapeOf(loosened, dialect, options, context);
    const schema = runPasses(dialect.spelling ?? [], shaped.schema, context);
    const isTooLarge = dialect.strict && shaped.nodes > alwaysSmallEnough && checkVendorSchema(schema, target).length > 0;
    if (isTooLarge) return fallBack(original, target, options);
    const { encode = identity, decode = identity } = shaped.codec ?? {};
    return { schema, encode, decode, losses: context.losses, strict: dialect.strict };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ToolError("SCHEMA_INVALID", "The schema is nested too deeply to be adapted. Flatten it, or split the tool.");
  }
}

/** With no more schemas than this a strict form is within every vendor's sizes, because names, lists and depth are bounded by its passes. */
const alwaysSmallEnough = 200;

function shapeOf(schema: JsonSchema, dialect: Dialect, options: AdaptOptions | undefined, context: AdaptContext): ShapedDocument {
  if (dialect.shape === undefined || dialect.needsShape?.(schema) === false) return { schema, nodes: 0 };
  const plain = !dialect.strict && options?.plain === true;
  return shapeSchema(schema, { ...dialect.shape, undeclared: options?.undeclared ?? "drop", plain }, context);
}

function fallBack(original: JsonSchema, target: SchemaTarget, options: AdaptOptions | undefined): AdaptedSchema {
  const adapted = adapt(original, looseTarget(target), options);
  const loss: Loss = { path: "", keyword: "strict", note: "not strict, because the schema is larger than strict mode allows" };
  return { ...adapted, losses: [loss, ...adapted.losses] };
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
