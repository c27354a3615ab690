import { isObject, jsonEquals, type JsonObject } from "../util/json.ts";
import type { JsonSchema } from "../schema/schema.ts";
import { isImpossible } from "./walk.ts";

/** Both schemas as one; handed in, because merging members and merging schemas need each other. */
export type Both = (a: JsonSchema, b: JsonSchema) => JsonSchema;

/** The keywords about an object's members, for two schemas at once: `additionalProperties` of one judges the properties that only the other names. */
export function intersectProperties(a: JsonSchema, b: JsonSchema, both: Both): JsonObject | undefined {
  const [inA, inB] = [mapOf(a["properties"]), mapOf(b["properties"])];
  const [restA, restB] = [a["additionalProperties"], b["additionalProperties"]];
  const [patternsA, patternsB] = [mapOf(a["patternProperties"]), mapOf(b["patternProperties"])];
  const hasPatterns = Object.keys(patternsA).length + Object.keys(patternsB).length > 0;
  const sameShape =
    jsonEquals(Object.keys(inA).sort(), Object.keys(inB).sort()) && jsonEquals(patternsA, patternsB) && jsonEquals(restA, restB);
  // Which names a pattern excuses from additionalProperties cannot be told apart any more once two lists are one.
  if (hasPatterns && (restA !== undefined || restB !== undefined) && !sameShape) return undefined;

  const properties: [string, JsonSchema][] = [];
  for (const key of new Set([...Object.keys(inA), ...Object.keys(inB)])) {
    const left = Object.hasOwn(inA, key) ? inA[key] : restA;
    const right = Object.hasOwn(inB, key) ? inB[key] : restB;
    const schema = combine(left, right, both);
    if (schema === false) continue; // closed out: the merged additionalProperties is false as well
    properties.push([key, schema ?? {}]);
  }
  const patterns = Object.keys({ ...patternsA, ...patternsB }).map((key) => [key, combine(own(patternsA, key), own(patternsB, key), both)]);
  const required = [...new Set([...listOf(a["required"]), ...listOf(b["required"])])];
  const rest = combine(restA, restB, both);
  return {
    properties:
      properties.length > 0 || isObject(a["properties"]) || isObject(b["properties"]) ? Object.fromEntries(properties) : undefined,
    patternProperties: patterns.length > 0 ? Object.fromEntries(patterns) : undefined,
    additionalProperties: isObject(rest) && isImpossible(rest) ? false : rest,
    required: required.length > 0 || a["required"] || b["required"] ? required : undefined,
  };
}

/** Item by item: a tuple of two meets a tuple of three, and what follows is judged by `items`. */
export function intersectItems(a: JsonSchema, b: JsonSchema, both: Both): JsonObject {
  const [prefixA, prefixB] = [listOf<JsonSchema>(a["prefixItems"]), listOf<JsonSchema>(b["prefixItems"])];
  const [restA, restB] = [a["items"], b["items"]];
  const prefix = Array.from({ length: Math.max(prefixA.length, prefixB.length) }, (_, index) =>
    combine(prefixA[index] ?? restA, prefixB[index] ?? restB, both),
  );
  return { prefixItems: prefix.length > 0 ? prefix : undefined, items: combine(restA, restB, both) };
}

/** `undefined` stands for "anything". */
function combine(a: unknown, b: unknown, both: Both): JsonSchema | false | undefined {
  if (a === false || b === false) return false;
  if (!isObject(a)) return isObject(b) ? b : undefined;
  return isObject(b) ? both(a, b) : a;
}

function own(map: JsonObject, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

function mapOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function listOf<Item = string>(value: unknown): readonly Item[] {
  return Array.isArray(value) ? (value as Item[]) : [];
}
