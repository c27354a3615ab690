import { isObject } from "@toolrack/core/internal";

/** A value at a path of own properties: at(event, "delta", "text"). */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (found, key) =>
      typeof found === "object" && found !== null && Object.hasOwn(found, key)
        ? (found as Record<string | number, unknown>)[key]
        : undefined,
    value,
  );
}

/** The same where only a text is of use. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === "string" ? found : "";
}

/** The same for a count: a number that is whole and not negative. */
export function countAt(value: unknown, ...path: readonly (string | number)[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === "number" && Number.isSafeInteger(found) && found >= 0 ? found : undefined;
}

/** The objects of a list; of anything else none. */
export function objectsAt(value: unknown, ...path: readonly (string | number)[]): readonly Readonly<Record<string, unknown>>[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

/** What stands for a text that is not JSON. */
export const notJson: unique symbol = Symbol("not JSON");

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return notJson;
  }
}
