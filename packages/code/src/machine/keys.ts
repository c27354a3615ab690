import { toIndex } from "./properties.ts";
import type { Machine } from "./machine.ts";
import { ArrayValue, FunctionValue, ObjectValue, ToolsValue, type Value } from "./values.ts";

/** The keys of an object that are listed, in the order of ECMAScript: indexes ascending, then names as they came. */
export function sortedKeys(object: ObjectValue): string[] {
  const names: string[] = [];
  const indexes: string[] = [];
  for (const key of object.slots.keys()) {
    if (object.hidden?.has(key) === true) continue;
    if (toIndex(key) === -1) names.push(key);
    else indexes.push(key);
  }
  return indexes.length === 0 ? names : [...indexes.toSorted((a, b) => Number(a) - Number(b)), ...names];
}

/** The keys that `for…in` goes over and `Object.keys` lists. Counted before they are made: those of a list or a text are no text yet. */
export function listedKeys(m: Machine, value: Value): string[] {
  if (value instanceof ArrayValue) {
    const keys = indexesBelow(m, value.items.length);
    return value.extra === undefined ? keys : keys.concat(sortedKeys(value.extra));
  }
  if (typeof value === "string") return indexesBelow(m, value.length);
  const keys = value instanceof ObjectValue ? value.slots : value instanceof FunctionValue ? value.slots : undefined;
  m.charge(keys?.size ?? 0);
  if (value instanceof ObjectValue) return sortedKeys(value);
  return value instanceof ToolsValue ? [...m.toolNames] : [...(keys?.keys() ?? [])];
}

function indexesBelow(m: Machine, length: number): string[] {
  m.charge(length);
  m.allocate(40 * length);
  const keys: string[] = [];
  for (let at = 0; at < length; at++) keys.push(String(at));
  return keys;
}
