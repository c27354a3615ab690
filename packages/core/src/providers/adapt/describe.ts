import { isObject } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";

/** Longer texts would cost more tokens than they help. */
const maxHintLength = 400;

/** "The age." with ["at least 1", "at most 99"] → "The age. (at least 1; at most 99)" */
export function withHints(schema: JsonSchema, hints: readonly string[]): JsonSchema {
  if (hints.length === 0) return schema;
  const before = typeof schema["description"] === "string" ? schema["description"].trimEnd() : "";
  const fresh = hints.filter((hint) => !before.includes(hint));
  if (fresh.length === 0) return schema;
  const text = fresh.join("; ");
  return { ...schema, description: before === "" ? `${text[0]!.toUpperCase()}${text.slice(1)}.` : `${before} (${text})` };
}

/** A constraint in words that a model can act on, or nothing where words would not help. */
export function hintFor(keyword: string, schema: JsonSchema): string | undefined {
  const hint = hints.get(keyword)?.(schema[keyword], schema);
  return hint !== undefined && hint.length <= maxHintLength ? hint : undefined;
}

type Hint = (argument: unknown, schema: JsonSchema) => string | undefined;

const hints: ReadonlyMap<string, Hint> = new Map<string, Hint>([
  ["minimum", (bound) => `at least ${String(bound)}`],
  ["maximum", (bound) => `at most ${String(bound)}`],
  ["exclusiveMinimum", (bound) => `greater than ${String(bound)}`],
  ["exclusiveMaximum", (bound) => `less than ${String(bound)}`],
  ["multipleOf", (step) => `a multiple of ${String(step)}`],
  ["minLength", (count) => `at least ${counted(count, "character")}`],
  ["maxLength", (count) => `at most ${counted(count, "character")}`],
  ["pattern", (pattern) => `matches the pattern ${String(pattern)}`],
  ["format", (format) => `format: ${String(format)}`],
  ["minItems", (count) => `at least ${counted(count, "item")}`],
  ["maxItems", (count) => `at most ${counted(count, "item")}`],
  ["uniqueItems", (unique) => (unique === true ? "no item twice" : undefined)],
  ["minProperties", (count) => `at least ${counted(count, "key")}`],
  ["maxProperties", (count) => `at most ${counted(count, "key")}`],
  ["enum", (values) => `one of: ${json(values).slice(1, -1)}`],
  ["default", (value) => `default: ${json(value)}`],
  ["examples", (list) => (Array.isArray(list) && list.length > 0 ? `for example ${json(list[0])}` : undefined)],
  ["contains", (part) => `contains an item that matches ${json(part)}`],
  [
    "propertyNames",
    (names) => (isObject(names) && typeof names["pattern"] === "string" ? `keys match the pattern ${names["pattern"]}` : undefined),
  ],
  ["patternProperties", (map) => (isObject(map) ? `keys matching ${Object.keys(map).join(" or ")}` : undefined)],
  ["prefixItems", (list) => `in this order: ${json(list)}`],
  ["not", (schema) => `must not match ${json(schema)}`],
  ["dependentRequired", (map) => (isObject(map) ? Object.entries(map).map(needs).join("; ") : undefined)],
  ["if", (condition, schema) => `if it matches ${json(condition)}, it must match ${json(schema["then"] ?? {})}`],
]);

function needs([key, required]: [string, unknown]): string {
  return `${key} needs ${Array.isArray(required) ? required.join(", ") : ""}`;
}

function counted(count: unknown, thing: string): string {
  return `${String(count)} ${thing}${count === 1 ? "" : "s"}`;
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? "";
}
