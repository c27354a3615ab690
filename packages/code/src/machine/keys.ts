import { toIndex } from "./properties.ts";
import type { ObjectValue } from "./values.ts";

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
