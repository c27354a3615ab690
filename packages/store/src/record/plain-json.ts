import type { JsonObject } from "./breadcrumb.ts";
import { maxDepth } from "./limits.ts";

/** What JSON says of a value: functions are left out, and objects that write themselves are what they write. The value itself where that is all. */
export function plainJson(value: JsonObject): JsonObject {
  return isPlainJson(value, 0) ? value : (JSON.parse(JSON.stringify(value)) as JsonObject);
}

function isPlainJson(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      return value === null || (depth <= maxDepth && (Array.isArray(value) ? isPlainList(value, depth) : isPlainObject(value, depth)));
    default:
      return false;
  }
}

function isPlainList(value: readonly unknown[], depth: number): boolean {
  for (let index = 0; index < value.length; index++) if (!isPlainJson(value[index], depth + 1)) return false;
  return true;
}

/** A property that is undefined is absent. */
function isPlainObject(value: object, depth: number): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || "toJSON" in value) return false;
  for (const key of Object.keys(value)) {
    const inner = (value as JsonObject)[key];
    if (inner !== undefined && !isPlainJson(inner, depth + 1)) return false;
  }
  return true;
}
