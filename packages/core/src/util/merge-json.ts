import { isObject, type JsonObject } from "@toolrack/json-schema/internal";

/**
 * Objects are merged to any depth, null removes a key, everything else is replaced: { a: { b: 1 } } with { a: { c: 2 } } →
 * { a: { b: 1, c: 2 } }. `__proto__` is a key like any other.
 */
export function mergeJson(base: Readonly<JsonObject>, patch: Readonly<JsonObject>): JsonObject {
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(patch)) {
    const before = merged.get(key);
    if (value === null) merged.delete(key);
    else merged.set(key, isObject(value) ? mergeJson(isObject(before) ? before : {}, value) : value);
  }
  return Object.fromEntries(merged);
}
