import { hasOwn, isObject, type JsonObject } from "../util/json.ts";
import { unescapePointer } from "./keywords.ts";

/** Whether a schema mentions any default, so that most values need no second look. */
export function hasDefaults(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return (isObject(schema) && hasOwn(schema, "default")) || Object.values(schema).some(hasDefaults);
}

/**
 * The value with the defaults of its schema: { query: "shoes" } → { query: "shoes", limit: 5 }.
 * Follows `properties`, `items`, `allOf` and local references; alternatives give no defaults, because which one is meant is
 * not certain. What the caller handed in is never touched: objects are copied on the way to a missing default.
 */
export function fillDefaults(schema: unknown, value: unknown): unknown {
  return fill(schema, value, schema, 0);
}

function fill(schema: unknown, value: unknown, root: unknown, depth: number): unknown {
  if (!isObject(schema) || typeof value !== "object" || value === null || depth > 64) return value;
  let filled: unknown = value;
  if (typeof schema["$ref"] === "string") filled = fill(localTarget(root, schema["$ref"]), filled, root, depth + 1);
  if (Array.isArray(schema["allOf"])) for (const part of schema["allOf"]) filled = fill(part, filled, root, depth + 1);
  if (Array.isArray(filled)) return fillItems(schema, filled, root, depth);
  return isObject(schema["properties"]) ? fillProperties(schema["properties"], filled as JsonObject, root, depth) : filled;
}

function fillProperties(properties: JsonObject, value: JsonObject, root: unknown, depth: number): JsonObject {
  let copy: JsonObject | undefined;
  for (const name of Object.keys(properties)) {
    if (name === "__proto__") continue;
    const schema = properties[name];
    const present = hasOwn(value, name) && value[name] !== undefined;
    if (!present && isObject(schema) && hasOwn(schema, "default")) {
      // The default is frozen with its schema; the handler gets a copy of its own to work on.
      (copy ??= { ...value })[name] = copyPlain(schema["default"]);
    } else if (present) {
      const inner = fill(schema, value[name], root, depth + 1);
      if (inner !== value[name]) (copy ??= { ...value })[name] = inner;
    }
  }
  return copy ?? value;
}

function fillItems(schema: JsonObject, value: readonly unknown[], root: unknown, depth: number): readonly unknown[] {
  const prefix = Array.isArray(schema["items"]) ? schema["items"] : Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : [];
  const rest = Array.isArray(schema["items"]) ? schema["additionalItems"] : schema["items"];
  let copy: unknown[] | undefined;
  for (const [index, item] of value.entries()) {
    const inner = fill(index < prefix.length ? prefix[index] : rest, item, root, depth + 1);
    if (inner !== item) (copy ??= [...value])[index] = inner;
  }
  return copy ?? value;
}

function localTarget(root: unknown, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const part of reference.slice(2).split("/")) {
    const key = unescapePointer(part);
    if (typeof target !== "object" || target === null || !hasOwn(target, key)) return undefined;
    target = (target as JsonObject)[key];
  }
  return target;
}

function copyPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyPlain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyPlain(inner)]));
}
