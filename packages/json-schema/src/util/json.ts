/** What JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = Record<string, unknown>;

/** An object that is not an array: the only kind of value that has properties in JSON. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const hasOwn: (value: object, key: PropertyKey) => boolean = Object.hasOwn;

/**
 * One text for equal values, the same in every language: keys in the order of their UTF-16 units, `undefined` properties left out.
 * { b: 1, "9": 2, "10": [true] } → '{"10":[true],"9":2,"b":1}'
 */
export function canonicalJson(value: unknown): string {
  return textOf(value) ?? "null";
}

/** Objects whose keys look like whole numbers keep those first, in the order of the numbers: so the text is put together here. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return textOfText(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return textOf((value as { toJSON(): unknown }).toJSON());
  if (Array.isArray(value)) return textOfList(value);
  let fields = "";
  for (const key of sorted(Object.keys(value))) {
    const text = textOf((value as JsonObject)[key]);
    if (text !== undefined) fields += (fields === "" ? "" : ",") + textOfKey(key) + text;
  }
  return `{${fields}}`;
}

/** Most texts have nothing to escape. */
function textOfText(text: string): string {
  return text.length < 500 && plainText.test(text) ? `"${text}"` : JSON.stringify(text);
}

const plainText = /^[ !#-[\]-~]*$/;

/** In place, by UTF-16 code units. Most objects have few keys, which need no list to sort in. */
function sorted(keys: string[]): readonly string[] {
  if (keys.length > 16) return keys.sort();
  for (let end = 1; end < keys.length; end++) {
    const key = keys[end]!;
    let place = end;
    for (; place > 0 && keys[place - 1]! > key; place--) keys[place] = keys[place - 1]!;
    keys[place] = key;
  }
  return keys;
}

/** Also what is missing in it has a place: [1, , 3] → "[1,null,3]". */
function textOfList(list: readonly unknown[]): string {
  let items = "";
  for (let index = 0; index < list.length; index++) items += (index === 0 ? "" : ",") + (textOf(list[index]) ?? "null");
  return `[${items}]`;
}

/** The keys of schemas and records are few, and met again and again: "type" → '"type":'. */
const keyTexts = new Map<string, string>();

function textOfKey(key: string): string {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(key)}:`;
  if (key.length <= 40 && keyTexts.size < 500) keyTexts.set(key, text);
  return text;
}

/** Equality of JSON values: 1 equals 1.0, key order does not matter, a property that is undefined is absent, arrays match item by item. */
export function jsonEquals(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && sameItems(a, b);
  }
  const keys = presentKeys(a as JsonObject);
  if (keys.length !== presentKeys(b as JsonObject).length) return false;
  return keys.every((key) => hasOwn(b, key) && jsonEquals((a as JsonObject)[key], (b as JsonObject)[key]));
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!jsonEquals(a[index], b[index])) return false;
  return true;
}

function presentKeys(value: JsonObject): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}
