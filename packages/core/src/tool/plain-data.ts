/** How many values a result may have, however often one is shared; each 64 characters of text count as one. */
export const maxValues = 1_000_000;

let left = 0;

/**
 * Whether a value is JSON already: texts, finite numbers, booleans, null, lists without gaps, and objects of these. Properties that are undefined count
 * as absent. False for more than `maxValues` values. Throws what a getter throws, and a RangeError for a value that contains itself.
 */
export function isPlainData(value: unknown): boolean {
  left = maxValues;
  return isPlain(value);
}

function isPlain(value: unknown): boolean {
  if (--left < 0) return false;
  if (typeof value === "string") {
    left -= value.length >> 6;
    return left >= 0;
  }
  if (typeof value === "boolean" || value === null) return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return false;
  const kind: unknown = Object.getPrototypeOf(value);
  if (kind === Array.prototype && Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!isPlain(value[index])) return false;
    return true;
  }
  if (kind !== Object.prototype && kind !== null) return false;
  let isEmpty = true;
  for (const key in value) {
    isEmpty = false;
    const inner = (value as Record<string, unknown>)[key];
    if (inner !== undefined && !isPlain(inner)) return false;
  }
  // All that it has may be behind symbols: an iterator, for instance.
  return !isEmpty || Object.getOwnPropertySymbols(value).length === 0;
}
