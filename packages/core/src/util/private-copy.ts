/** The same lists and plain objects once more, read once: nobody else can change the copy. Everything else in them stays what it is. */
export function privateCopy<Value>(value: Value, copies?: Map<object, object>): Value {
  if (!isCopied(value)) return value;
  const known = copies?.get(value);
  if (known !== undefined) return known as Value;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  for (const key in copy) {
    const inner = copy[key];
    if (isCopied(inner)) copy[key] = privateCopy(inner, (copies ??= new Map()).set(value, copy));
  }
  return copy as Value;
}

/** Lists and plain objects. */
export function isCopied(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const kind: unknown = Object.getPrototypeOf(value);
  return kind === Object.prototype || kind === null || Array.isArray(value);
}
