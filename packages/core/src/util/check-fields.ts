import { describeValue, isObject, type JsonObject, misspellingOf, nearestNames } from "@toolrack/json-schema/internal";
import { type ErrorCode, ToolError } from "../errors.ts";

/** What a field may be: in words, for messages, and as a test. */
export interface FieldKind {
  readonly is: string;
  readonly test: (value: unknown) => boolean;
  readonly required?: true;
  /** A text that does not fit is shown: it can only be a misspelt word. */
  readonly quotes?: true;
  /** The fields inside, where the field is an object, or of each item, where it is a list. */
  readonly fields?: Fields;
  /** The object may have further members, and inherit some; only misspelt names are refused. */
  readonly isOpen?: true;
}

export type Fields = Readonly<Record<string, FieldKind>>;

/** One kind for each field of a type, so that a new field cannot be forgotten. */
export type FieldsOf<Options> = { readonly [Key in keyof Required<Options>]: FieldKind };

export interface CheckedSubject {
  /** "createRegistry", "The caller": begins the message. */
  readonly subject: string;
  /** What the subject calls its fields. */
  readonly word: "field" | "option";
  /** @default "CONFIG_INVALID" */
  readonly code?: ErrorCode;
  /** As of a kind. */
  readonly isOpen?: boolean;
}

/**
 * Refuses what has an unknown field, a field of the wrong kind or lacks a required one: the error names the field, what came and what is
 * expected, and for an unknown one the nearest name. A field that is undefined counts as absent. Texts are not quoted: they may be secrets.
 */
export function checkFields(given: unknown, fields: Fields, checked: CheckedSubject): void {
  const { subject, word, code = "CONFIG_INVALID" } = checked;
  const fail = (rest: string): never => {
    throw new ToolError(code, subject + rest);
  };

  function checkObject(object: JsonObject, inside: Fields, isOpen: boolean | undefined, at: string): void {
    const known = Object.keys(inside);
    for (const key of isOpen ? membersOf(object) : Object.keys(object)) {
      if (Object.hasOwn(inside, key)) continue;
      const near = isOpen ? misplacedField(key, inside) : nearestField(key, inside);
      if ((isOpen && (near === undefined || isMethod(object, key))) || object[key] === undefined) continue;
      const hint = near === undefined ? `Known ${word}s: ${known.join(", ")}.` : `Did you mean "${at}${near}"?`;
      fail(` has the unknown ${word} "${at}${key}". ${hint}`);
    }
    for (const key of known) {
      const kind = inside[key]!;
      // An instance of a class inherits its methods.
      const value = isOpen || Object.hasOwn(object, key) ? object[key] : undefined;
      if (value !== undefined || kind.required) checkValue(value, kind, at + key);
    }
  }

  function checkValue(value: unknown, { is, test, quotes, fields: inside, isOpen }: FieldKind, at: string): void {
    if (!test(value)) {
      const shown = quotes
        ? describeValue(value)
        : describeKind(value) + (Array.isArray(value) && is.startsWith("a list") ? " of others" : "");
      fail(`: "${at}" must be ${is}, ${value === undefined ? "and is missing" : `not ${shown}`}.`);
    }
    if (inside === undefined) return;
    if (!Array.isArray(value)) return checkObject(value as JsonObject, inside, isOpen, `${at}.`);
    for (const [index, item] of value.entries()) checkObject(item, inside, isOpen, `${at}[${index}].`);
  }

  if (isObject(given)) checkObject(given, fields, checked.isOpen, "");
  else fail(` must be ${word === "option" ? "given " : ""}an object with ${Object.keys(fields).join(", ")}, not ${describeKind(given)}.`);
}

/** Refuses an argument of a function that is not of this kind: "subscribe must be given a function, not an object." */
export function checkArgument(value: unknown, { is, test }: FieldKind, subject: string): void {
  if (!test(value)) throw new ToolError("CONFIG_INVALID", `${subject} must be given ${is}, not ${describeKind(value)}.`);
}

/** False for whatever `checkFields` may refuse; quick, for what is looked at in every call. */
export function fitsFields(given: unknown, fields: Fields): boolean {
  if (!isObject(given)) return false;
  for (const key in given) {
    const value = given[key];
    // "toString" finds a function, which has no test.
    if (value !== undefined && fields[key]?.test?.(value) !== true) return false;
  }
  return true;
}

/** "agnet" → "agent"; a field that belongs one level deeper → "caller.agent". */
function nearestField(key: string, fields: Fields): string | undefined {
  return misplacedField(key, fields) ?? nearestNames(key, Object.keys(fields), 1)[0];
}

/** What was surely meant: a field that belongs one level deeper, or a misspelt one of either level. */
function misplacedField(key: string, fields: Fields): string | undefined {
  const places = new Map<string, string>();
  for (const name of Object.keys(fields)) for (const inner in fields[name]!.fields) places.set(inner, `${name}.${inner}`);
  for (const name of Object.keys(fields)) places.set(name, name);
  // "model" is a name of its own, and no misspelt "models" of a level below.
  const near = places.has(key) ? key : misspellingOf(key, places.keys());
  const place = places.get(near!);
  return place === near || near === key || !near?.startsWith(key) ? place : undefined;
}

/** The names of an object's own members, and of those that its classes give it. */
function membersOf(object: object): readonly string[] {
  const names: string[] = [];
  for (let at: object = object; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    names.push(...Object.getOwnPropertyNames(at));
  return names;
}

function isMethod(object: JsonObject, key: string): boolean {
  return !Object.hasOwn(object, key) && typeof object[key] === "function";
}

/** 5 → "5", "secret" → "a text", [] → "a list": what came, without what it holds. */
export function describeKind(value: unknown): string {
  return typeof value === "string" && value !== "" ? "a text" : describeValue(value);
}

export const anything: FieldKind = { is: "anything", test: () => true };
export const text: FieldKind = { is: "a text", test: (value) => typeof value === "string" };
export const someText: FieldKind = { is: "a text that is not empty", test: (value) => typeof value === "string" && value !== "" };
export const flag: FieldKind = { is: "true or false", test: (value) => typeof value === "boolean" };
export const number: FieldKind = { is: "a number", test: (value) => typeof value === "number" && !Number.isNaN(value) };
export const positive: FieldKind = { is: "a number above 0", test: (value) => (value as number) > 0 && typeof value === "number" };
export const timeLimit: FieldKind = { is: "a number above 0, or false", test: (value) => value === false || positive.test(value) };
export const method: FieldKind = { is: "a function", test: (value) => typeof value === "function" };
export const texts: FieldKind = listOf("texts", (item) => typeof item === "string");

export function listOf(items: string, isItem: (item: unknown) => boolean, fields?: Fields): FieldKind {
  return { is: `a list of ${items}`, test: (value) => Array.isArray(value) && value.every(isItem), ...(fields && { fields }) };
}

export function oneOf(...words: readonly string[]): FieldKind {
  const quoted = words.map((word) => JSON.stringify(word));
  const is = `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
  return { is, test: (value) => words.includes(value as string), quotes: true };
}

export function objectWith(fields: Fields): FieldKind {
  return { is: `an object with ${Object.keys(fields).join(", ")}`, test: isObject, fields };
}

/** Something that does a job, such as a store: any object that has these functions. */
export function portWith(...names: readonly string[]): FieldKind {
  const is = `an object with the function${names.length > 1 ? "s" : ""} ${names.join(", ")}`;
  return { is, test: (value) => isObject(value) && names.every((name) => typeof value[name] === "function") };
}

export function required(kind: FieldKind): FieldKind {
  return { ...kind, required: true };
}
