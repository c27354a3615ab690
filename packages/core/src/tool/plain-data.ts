/**
 * Whether a value is JSON already: texts, finite numbers, booleans, null, lists without gaps, and objects of these. Properties that are undefined count
 * as absent. Throws what a getter throws, and a RangeError for a value that contains itself.
 */
export function isPlainData(value: unknown): boolean {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return false;
  const kind: unknown = Object.getPrototypeOf(value);
  if (kind === Array.prototype && Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!isPlainData(value[index])) return false;
    return true;
  }
  if (kind !== Object.prototype && kind !== null) return false;
  let isEmpty = true;
  for (const key in value) {
    isEmpty = false;
    const inner = (value as Record<string, unknown>)[key];
    if (inner !== undefined && !isPlainData(inner)) return false;
  }
  // All that it has may be behind symbols: an iterator, for instance.
  return !isEmpty || Object.getOwnPropertySymbols(value).length === 0;
}
