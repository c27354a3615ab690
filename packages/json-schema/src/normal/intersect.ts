import { isObject, jsonEquals, type JsonObject } from "../util/json.ts";
import type { JsonSchema } from "../schema/schema.ts";
import { intersectItems, intersectProperties } from "./intersect-members.ts";
import { annotationKeywords, isImpossible } from "./walk.ts";

/** The schema that accepts exactly what both accept, or `undefined` if this cannot be said without `allOf`. The first one's annotations win. */
export function intersectSchemas(a: JsonSchema, b: JsonSchema): JsonSchema | undefined {
  if (isImpossible(a) || isImpossible(b)) return { ...annotationsOf(b), ...annotationsOf(a), not: {} };
  const merged: JsonObject = { ...b, ...a };
  for (const keyword of Object.keys(b)) {
    if (!Object.hasOwn(a, keyword) || annotationKeywords.has(keyword) || memberKeywords.has(keyword) || jsonEquals(a[keyword], b[keyword]))
      continue;
    const combine = combiners.get(keyword);
    const combined = combine?.(a[keyword], b[keyword]);
    if (combined === undefined) return undefined;
    merged[keyword] = combined;
  }
  if (isTorn(a, b)) return undefined;
  for (const members of [intersectProperties(a, b, both), intersectItems(a, b, both)]) {
    if (members === undefined) return undefined;
    for (const keyword of Object.keys(members)) {
      if (members[keyword] === undefined) delete merged[keyword];
      else merged[keyword] = members[keyword];
    }
  }
  const nothing = [merged["type"], merged["enum"]].some((list) => Array.isArray(list) && list.length === 0);
  return nothing ? { ...annotationsOf(merged), not: {} } : merged;
}

/** Both, as one schema: merged if that is possible, side by side in `allOf` if not. */
export function both(a: JsonSchema, b: JsonSchema): JsonSchema {
  return intersectSchemas(a, b) ?? { allOf: [a, b] };
}

const memberKeywords = new Set(["properties", "patternProperties", "additionalProperties", "required", "prefixItems", "items"]);

const least = (a: unknown, b: unknown): unknown => Math.min(a as number, b as number);
const greatest = (a: unknown, b: unknown): unknown => Math.max(a as number, b as number);

/** A keyword that is absent here cannot be merged if both schemas have it with different arguments. */
const combiners: ReadonlyMap<string, (a: unknown, b: unknown) => unknown> = new Map([
  ["type", (a, b) => intersectTypes(listOf(a), listOf(b))],
  ["enum", (a, b) => (a as unknown[]).filter((value) => (b as unknown[]).some((other) => jsonEquals(value, other)))],
  ...["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"].map((keyword) => [keyword, greatest] as const),
  ...["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"].map((keyword) => [keyword, least] as const),
  ["multipleOf", (a, b) => (isMultiple(a, b) ? a : isMultiple(b, a) ? b : undefined)],
  ["uniqueItems", (a, b) => a === true || b === true],
  ["not", (a, b) => ({ anyOf: [a, b] })],
  ["anyOf", (a, b) => crossUnions(a as JsonSchema[], b as JsonSchema[])],
  ["propertyNames", (a, b) => both(a as JsonSchema, b as JsonSchema)],
  [
    "dependentRequired",
    (a, b) => mergeMaps(a as JsonObject, b as JsonObject, (x, y) => [...new Set([...(x as string[]), ...(y as string[])])]),
  ],
  ["dependentSchemas", (a, b) => mergeMaps(a as JsonObject, b as JsonObject, (x, y) => both(x as JsonSchema, y as JsonSchema))],
]);

/** Keywords that only make sense together, and so cannot come half from one schema and half from the other. */
function isTorn(a: JsonSchema, b: JsonSchema): boolean {
  const has = (schema: JsonSchema, ...keywords: string[]): boolean => keywords.some((keyword) => Object.hasOwn(schema, keyword));
  if (has(a, "if", "then", "else") && has(b, "if", "then", "else")) return true;
  if (has(a, "contains", "minContains", "maxContains") && has(b, "contains", "minContains", "maxContains")) return true;
  // What a branch calls unevaluated must not come to depend on its neighbour's properties; the outer schema sees both already.
  return has(b, "unevaluatedProperties", "unevaluatedItems");
}

function intersectTypes(a: readonly string[], b: readonly string[]): unknown {
  const types = new Set<string>();
  for (const type of a) {
    if (b.includes(type) || (type === "integer" && b.includes("number"))) types.add(type);
    else if (type === "number" && b.includes("integer")) types.add("integer");
  }
  return types.size === 1 ? [...types][0] : [...types];
}

function crossUnions(a: readonly JsonSchema[], b: readonly JsonSchema[]): JsonSchema[] | undefined {
  if (a.length * b.length > 16) return undefined;
  const pairs = a.flatMap((left) => b.map((right) => both(left, right)));
  const possible = pairs.filter((pair) => !isImpossible(pair));
  return possible.length > 0 ? possible : [{ not: {} }];
}

function mergeMaps(a: JsonObject, b: JsonObject, combine: (x: unknown, y: unknown) => unknown): JsonObject {
  const entries = Object.keys(b).map((key) => [key, Object.hasOwn(a, key) ? combine(a[key], b[key]) : b[key]] as const);
  return { ...a, ...Object.fromEntries(entries) };
}

function isMultiple(a: unknown, b: unknown): boolean {
  return Number.isInteger(a) && Number.isInteger(b) && (a as number) % (b as number) === 0;
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as string[]) : [value as string];
}

function annotationsOf(schema: JsonSchema): JsonSchema {
  return isObject(schema) ? Object.fromEntries(Object.entries(schema).filter(([keyword]) => annotationKeywords.has(keyword))) : {};
}
