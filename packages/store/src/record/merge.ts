import type { JsonObject } from "./breadcrumb.ts";
import { isObject } from "./json.ts";

/** Objects are merged to any depth, everything else is replaced, null removes: { a: { b: 1 } } with { a: { c: 2 } } → { a: { b: 1, c: 2 } }. */
export function mergeJson(base: JsonObject, patch: JsonObject): JsonObject {
  const merged: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(base)) merged[key] = base[key];
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === null) delete merged[key];
    else if (isObject(value)) merged[key] = mergeJson(isObject(merged[key]) ? merged[key] : {}, value);
    else merged[key] = value;
  }
  return merged;
}
