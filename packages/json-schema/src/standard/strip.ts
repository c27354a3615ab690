import { hasOwn, isObject, type JsonObject } from "../util/json.ts";
import { localTarget } from "../schema/local-reference.ts";

/**
 * The value without the properties that an object schema does not declare, unless it says something about additional ones.
 * Follows `properties`, `additionalProperties`, items and local references. Copies only what has to change.
 */
export function stripUnknown(schema: unknown, value: unknown): unknown {
  return strip(schema, value, schema, 0);
}

/** Deeper than any honest value goes; below it nothing is changed. */
const maxDepth = 256;

function strip(schema: unknown, value: unknown, root: unknown, depth: number): unknown {
  if (!isObject(schema) || typeof value !== "object" || value === null || depth > maxDepth) return value;
  if (typeof schema["$ref"] === "string") return strip(localTarget(schema["$ref"], root), value, root, depth + 1);
  return Array.isArray(value) ? stripItems(schema, value, root, depth) : stripMembers(schema, value as JsonObject, root, depth);
}

function stripMembers(schema: JsonObject, value: JsonObject, root: unknown, depth: number): JsonObject {
  const { properties, additionalProperties: additional } = schema;
  const isOpen = !isObject(properties) || additional !== undefined;
  const kept: [key: string, inner: unknown][] = [];
  let isChanged = false;
  for (const key of Object.keys(value)) {
    const isDeclared = isObject(properties) && hasOwn(properties, key);
    const inner = strip(isDeclared ? properties[key] : additional, value[key], root, depth + 1);
    if (isDeclared || isOpen) kept.push([key, inner]);
    if (inner !== value[key] || !(isDeclared || isOpen)) isChanged = true;
  }
  return isChanged ? Object.fromEntries(kept) : value;
}

function stripItems(schema: JsonObject, value: readonly unknown[], root: unknown, depth: number): readonly unknown[] {
  const prefix = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : [];
  const items = value.map((item, index) => strip(index < prefix.length ? prefix[index] : schema["items"], item, root, depth + 1));
  return items.some((item, index) => item !== value[index]) ? items : value;
}
