import { type JsonSchema, normalizeSchema, readSchema } from "@toolrack/json-schema";
import { usedKeywords, without } from "@toolrack/json-schema/internal";
import { ToolError } from "../../errors.ts";
import type { Loss } from "../loss.ts";
import { modeOf, type SchemaMode } from "../mode.ts";
import type { Provider, ProviderSchema } from "../provider.ts";
import { createProviderMemory } from "../provider-memory.ts";
import { providerFor, type VendorTarget } from "../providers.ts";
import { checkFields } from "../../util/check-fields.ts";
import { findViolations } from "../rules/find-violations.ts";
import { adaptFields, type AdaptOptions } from "./options.ts";
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

const known = createProviderMemory<object, AdaptedSchema>();

/**
 * Adapts a tool's input schema to a vendor. Every value valid under the original is, through `encode`, valid under the adapted schema.
 * Throws SCHEMA_INVALID for a schema that cannot be read.
 */
export function adaptSchema(schema: unknown, target: VendorTarget, options: AdaptOptions = {}): AdaptedSchema {
  checkFields(options, adaptFields, { subject: "adaptSchema", word: "option" });
  return adaptTo(schema, providerFor(target), options);
}

/** The same for a vendor and options that were checked; further options are ignored. */
export function adaptTo(schema: unknown, provider: Provider, options: AdaptOptions): AdaptedSchema {
  const read = readSchema(schema);
  const mode = modeOf(provider, options.strict);
  const key = `${mode.strict} ${options.undeclared ?? "drop"} ${options.plain ?? false}`;
  const cached = known.get(provider, read, key);
  if (cached !== undefined) return cached;
  const adapted = adapt(read, provider, mode, options);
  // Only a schema that was read before is frozen, so that its identity stands for its content.
  if (schema === read) known.set(provider, read, key, adapted);
  return adapted;
}

function adapt(original: JsonSchema, provider: Provider, mode: SchemaMode, options: AdaptOptions): AdaptedSchema {
  const { passes, finalPasses = [] } = mode.schema;
  const context = createContext();
  try {
    const isAsWritten = mode.schema.start === "as-written" && !needsNormalForm(original, mode.schema);
    const start = isAsWritten ? without(original, ...bookkeeping) : normalizeSchema(original).schema;
    const loosened = runPasses(passes, start, context);
    const shaped = shapeOf(loosened, mode, options, context);
    const schema = runPasses(finalPasses, shaped.schema, context);
    const isTooLarge = mode.strict && shaped.nodes > alwaysSmallEnough && findViolations(schema, mode.rules).length > 0;
    if (isTooLarge) return withoutStrict(original, provider, options);
    const { encode = identity, decode = identity } = shaped.codec ?? {};
    return { schema, encode, decode, losses: context.losses, strict: mode.strict };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ToolError("SCHEMA_INVALID", "The schema is nested too deeply to be adapted. Flatten it, or split the tool.");
  }
}

/** A strict schema with this many schemas inside or fewer is not checked: it is within every vendor's sizes, because the passes bound names, lists and depth. */
const alwaysSmallEnough = 200;

function shapeOf(
  schema: JsonSchema,
  { strict, schema: { shape, needsShape } }: SchemaMode,
  options: AdaptOptions,
  context: AdaptContext,
): ShapedDocument {
  if (shape === undefined || needsShape?.(schema) === false) return { schema, nodes: 0 };
  const plain = !strict && options.plain === true;
  return shapeSchema(schema, { ...shape, undeclared: options.undeclared ?? "drop", plain }, context);
}

function withoutStrict(original: JsonSchema, provider: Provider, options: AdaptOptions): AdaptedSchema {
  const adapted = adapt(original, provider, modeOf(provider, false), options);
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

/** What has to be merged into a plain object at the root. */
const onRoot = ["anyOf", "oneOf", "not", "enum", "const"];

/** A plain schema stays as its author wrote it, for vendors that take nearly any JSON Schema. */
function needsNormalForm(schema: JsonSchema, { normalizeFor = [] }: ProviderSchema): boolean {
  if (onRoot.some((keyword) => Object.hasOwn(schema, keyword))) return true;
  const used = usedKeywords(schema);
  return unusual.some((keyword) => used.has(keyword)) || normalizeFor.some((keyword) => used.has(keyword));
}

function identity<Value>(value: Value): Value {
  return value;
}
