import { isObject, type JsonObject } from "@toolrack/json-schema/internal";

/** The value that an object of a document has itself under a key; `constructor` and `__proto__` are keys like all others. */
export function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined;
}

export function ownObject(value: unknown, key: string): JsonObject | undefined {
  const found = own(value, key);
  return isObject(found) ? found : undefined;
}

export function ownList(value: unknown, key: string): readonly unknown[] {
  const found = own(value, key);
  return Array.isArray(found) ? found : [];
}

export function ownText(value: unknown, key: string): string | undefined {
  const found = own(value, key);
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** The members of an object in their order; none for anything else. */
export function members(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.keys(value).map((key) => [key, value[key]] as const) : [];
}

/** Sets a member, whatever its name: a plain assignment to "__proto__" would change the prototype. */
export function setOwn(target: JsonObject, key: string, value: unknown): void {
  if (key !== "__proto__") target[key] = value;
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
