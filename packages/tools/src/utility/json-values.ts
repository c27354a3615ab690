import type { Steps } from "./_steps.ts";

/** Whether two values are the same JSON, whatever the order of their keys. Costs no more than the smaller of the two. */
export function isEqualJson(a: unknown, b: unknown, steps: Steps): boolean {
  steps.take();
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqualJson(item, b[index], steps));
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) => Object.hasOwn(b, key) && isEqualJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], steps),
  );
}

/** Whether a text contains another, in time that grows with their lengths and not with their product. */
export function includesText(text: string, wanted: string, steps: Steps): boolean {
  steps.take(1 + Math.ceil((text.length + wanted.length) / 16));
  if (wanted.length > text.length) return false;
  if (wanted.length < 8) return text.includes(wanted);
  // How much of `wanted` still fits after a mismatch (Knuth, Morris and Pratt).
  const fits = new Uint32Array(wanted.length);
  for (let at = 1, matched = 0; at < wanted.length; at++) {
    while (matched > 0 && wanted.charCodeAt(at) !== wanted.charCodeAt(matched)) matched = fits[matched - 1]!;
    if (wanted.charCodeAt(at) === wanted.charCodeAt(matched)) matched++;
    fits[at] = matched;
  }
  for (let at = 0, matched = 0; at < text.length; at++) {
    while (matched > 0 && text.charCodeAt(at) !== wanted.charCodeAt(matched)) matched = fits[matched - 1]!;
    if (text.charCodeAt(at) === wanted.charCodeAt(matched)) matched++;
    if (matched === wanted.length) return true;
  }
  return false;
}

/** About how long values are as JSON. A value that occurs in many places is measured once. */
export function createMeasure(steps: Steps): (value: unknown) => number {
  const known = new WeakMap<object, number>();
  const measure = (value: unknown): number => {
    if (typeof value === "string") return value.length + 2;
    if (typeof value !== "object" || value === null) return 8;
    let length = known.get(value);
    if (length === undefined) {
      length = 2;
      for (const key of Object.keys(value)) {
        steps.take();
        length += (Array.isArray(value) ? 1 : key.length + 4) + measure((value as Record<string, unknown>)[key]);
      }
      known.set(value, length);
    }
    return length;
  };
  return measure;
}
