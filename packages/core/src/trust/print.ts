import { canonicalJson } from "@toolrack/json-schema";
import { isObject, type JsonObject, rewriteSchema } from "@toolrack/json-schema/internal";
import { sha256Hex } from "#platform";
import { ToolError } from "../errors.ts";

/** What a print is of. A definition of one kind never has the print of another. */
export type PinnedKind = "tool" | "server" | "prompt" | "resource";

/**
 * "v1:sha256:…": one text for all definitions that say the same. Every field that a model may see is part of it, byte for byte; the order of
 * keys, of `required` and of lists of types is not, nor is a keyword that says what JSON Schema assumes anyway. "v1" names the formula: with
 * another formula, print the stored definition again rather than one that was sent anew.
 */
export function definitionPrint(definition: unknown, kind: PinnedKind = "tool"): string {
  return `v1:sha256:${sha256Hex(`toolrack.definition.v1\n${kind}\n${canonicalJson(pinnedForm(definition))}`)}`;
}

/** The definition as it is printed and compared: plain JSON, in which what does not matter is written in one way. The input stays as it is. */
export function pinnedForm(definition: unknown): unknown {
  const copying: Copying = { values: maxValues, isUnevaluated: false };
  const plain = plainCopy(definition, copying);
  if (!isObject(plain)) return plain;
  const pinned = (value: unknown): unknown => pinnedSchema(value, copying.isUnevaluated);
  return mapFields(plain, (value, key) => {
    if (schemaFields.has(key)) return pinned(value);
    // { type: "function", function: { name, parameters } }, as some vendors write a tool.
    return key === "function" && isObject(value)
      ? mapFields(value, (inner, field) => (schemaFields.has(field) ? pinned(inner) : inner))
      : value;
  });
}

/** `inputSchema` and its names in other systems. */
export const schemaFields: ReadonlySet<string> = new Set([
  "inputSchema",
  "input_schema",
  "outputSchema",
  "output_schema",
  "parameters",
  "parametersSchema",
]);

/**
 * What a source sent, completed by what is pinned: some servers leave out `annotations` and `outputSchema` when they connect again. What is
 * absent there keeps its pinned value, and what is different counts as changed.
 */
export function withPinnedWhereAbsent(pinned: unknown, seen: unknown): unknown {
  if (!isObject(pinned) || !isObject(seen)) return seen;
  const kept = ["annotations", "outputSchema"].filter((key) => pinned[key] !== undefined && seen[key] === undefined);
  return kept.length === 0 ? seen : { ...seen, ...Object.fromEntries(kept.map((key) => [key, pinned[key]])) };
}

/** Without what is undefined; `__proto__` is an ordinary key. */
function mapFields(value: Readonly<JsonObject>, change: (value: unknown, key: string) => unknown): JsonObject {
  const mapped: JsonObject = {};
  for (const key of Object.keys(value)) {
    const inner = change(value[key], key);
    if (inner === undefined) continue;
    if (key === "__proto__") Object.defineProperty(mapped, key, { value: inner, enumerable: true, writable: true, configurable: true });
    else mapped[key] = inner;
  }
  return mapped;
}

/** More values than any definition has: one that repeats itself inside itself would never end. */
const maxValues = 1_000_000;

interface Copying {
  /** How many more objects and lists are copied. */
  values: number;
  /** A keyword about what is unevaluated was met anywhere. */
  isUnevaluated: boolean;
}

function plainCopy(value: unknown, copying: Copying, depth = 0): unknown {
  if (typeof value === "string") {
    if (unevaluated.has(value)) copying.isUnevaluated = true;
    return value;
  }
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return value;
  if (--copying.values < 0 || depth > 500)
    throw new ToolError(
      "DEFINITION_INVALID",
      "A definition of more than 1,000,000 values, nested more than 500 deep, or inside itself has no print.",
    );
  if (Array.isArray(value)) return value.map((item) => plainCopy(item, copying, depth + 1) ?? null);
  return mapFields(value as JsonObject, (inner, key) => {
    if (unevaluated.has(key)) copying.isUnevaluated = true;
    return plainCopy(inner, copying, depth + 1);
  });
}

const unevaluated: ReadonlySet<string> = new Set(["unevaluatedProperties", "unevaluatedItems"]);

/** `mayMention`: whether the definition around it mentions what is unevaluated. */
function pinnedSchema(schema: unknown, mayMention: boolean): unknown {
  if (!isObject(schema)) return schema;
  const keepOpen = mayMention && mentionsUnevaluated(schema);
  return rewriteSchema(schema, (inner) => normalSchema(inner, keepOpen));
}

/** `additionalProperties: true` says something beside `unevaluatedProperties`, and nothing otherwise. */
function mentionsUnevaluated(schema: JsonObject): boolean {
  const text = JSON.stringify(schema);
  return text.includes('"unevaluatedProperties"') || text.includes('"unevaluatedItems"');
}

function normalSchema(schema: Readonly<JsonObject>, keepOpen: boolean): JsonObject {
  const normal = (value: unknown, key: string): unknown => {
    if (key === "required" && isTexts(value))
      return value.length === 0 ? undefined : value.length === 1 ? value : [...new Set(value)].sort();
    if (key === "type" && isTexts(value)) return value.length === 1 ? value[0] : [...new Set(value)].sort();
    return isAssumed(key, value, keepOpen) ? undefined : value;
  };
  return Object.keys(schema).every((key) => normal(schema[key], key) === schema[key]) ? schema : mapFields(schema, normal);
}

/** What JSON Schema assumes where a keyword is absent. */
const assumed: Readonly<Record<string, unknown>> = {
  minLength: 0,
  minItems: 0,
  minProperties: 0,
  uniqueItems: false,
  deprecated: false,
  readOnly: false,
  writeOnly: false,
};

function isAssumed(key: string, value: unknown, keepOpen: boolean): boolean {
  if (Object.hasOwn(assumed, key)) return assumed[key] === value;
  if (key === "properties" || key === "patternProperties" || key === "$defs" || key === "definitions")
    return isObject(value) && Object.keys(value).length === 0;
  if (key !== "additionalProperties" && key !== "items") return false;
  return !keepOpen && (value === true || (isObject(value) && Object.keys(value).length === 0));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
