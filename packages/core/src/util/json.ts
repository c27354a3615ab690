/** What JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = Record<string, unknown>;

/** An object that is not an array: the only kind of value that has properties in JSON. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const hasOwn: (value: object, key: PropertyKey) => boolean = Object.hasOwn;

/**
 * One text for equal values: keys sorted, `undefined` properties left out.
 * { b: 1, a: [true] } → '{"a":[true],"b":1}'
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isObject(inner) ? sortKeys(inner) : inner)) ?? "null";
}

function sortKeys(value: JsonObject): JsonObject {
  const sorted: JsonObject = Object.create(null);
  for (const key of Object.keys(value).sort()) sorted[key] = value[key];
  return sorted;
}

/** Equality of JSON values: 1 equals 1.0, key order does not matter, a property that is undefined is absent, arrays match item by item. */
export function jsonEquals(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && sameItems(a, b);
  }
  const keys = presentKeys(a as JsonObject);
  if (keys.length !== presentKeys(b as JsonObject).length) return false;
  return keys.every((key) => hasOwn(b, key) && jsonEquals((a as JsonObject)[key], (b as JsonObject)[key]));
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!jsonEquals(a[index], b[index])) return false;
  return true;
}

function presentKeys(value: JsonObject): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}
