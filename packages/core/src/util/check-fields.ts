import { isObject, type JsonObject, misspellingOf, nearestNames } from "@toolrack/json-schema/internal";
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
  /** The object may have further members of its own; only slips of the pen are refused. */
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
  readonly code?: ErrorCode;
}

/**
 * Refuses what has an unknown field, a field of the wrong kind or lacks a required one: the error names the field, what came and what is
 * expected, and for an unknown one the nearest name. A field that is undefined counts as absent. Texts are not quoted: they may be secrets.
 */
export function checkFields(given: unknown, fields: Fields, checked: CheckedSubject): void {
  if (!isObject(given)) {
    const verb = checked.word === "option" ? "must be given" : "must be";
    throw fault(checked, ` ${verb} an object with ${Object.keys(fields).join(", ")}, not ${describeKind(given)}.`);
  }
  checkInside(given, { ...anything, fields }, checked, "");
}

/** Refuses an argument of a function that is not of this kind: "subscribe must be given a function, not an object." */
export function checkArgument(value: unknown, { is, test }: FieldKind, subject: string): void {
  if (!test(value)) throw new ToolError("CONFIG_INVALID", `${subject} must be given ${is}, not ${describeKind(value)}.`);
}

/** False for whatever `checkFields` may refuse; quick, for what is looked at in every call. */
export function fitsFields(given: unknown, fields: Fields): boolean {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return false;
  for (const key in given) {
    const value = (given as JsonObject)[key];
    // "toString" finds a function, which has no test.
    if (value !== undefined && fields[key]?.test?.(value) !== true) return false;
  }
  return true;
}

function checkInside(given: JsonObject, { fields, isOpen }: FieldKind, checked: CheckedSubject, path: string): void {
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(fields!, key) || given[key] === undefined) continue;
    const hint = isOpen ? misspellingOf(key, Object.keys(fields!)) : nearestField(key, fields!);
    if (isOpen && hint === undefined) continue;
    throw fault(
      checked,
      ` has the unknown ${checked.word} "${path}${key}". ${didYouMean(hint, Object.keys(fields!), `${checked.word}s`, path)}`,
    );
  }
  for (const [key, kind] of Object.entries(fields!)) {
    // Methods of a class are inherited; data has to be the object's own.
    const value = Object.hasOwn(given, key) || (isOpen && typeof given[key] === "function") ? given[key] : undefined;
    if (value !== undefined || kind.required) checkField(value, kind, checked, path + key);
  }
}

function checkField(value: unknown, kind: FieldKind, checked: CheckedSubject, path: string): void {
  if (!kind.test(value)) {
    const shown = kind.quotes && typeof value === "string" ? JSON.stringify(value.slice(0, 60)) : describeKind(value);
    throw fault(checked, `: "${path}" must be ${kind.is}, ${value === undefined ? "and is missing" : `not ${shown}`}.`);
  }
  if (kind.fields === undefined) return;
  if (!Array.isArray(value)) return checkInside(value as JsonObject, kind, checked, `${path}.`);
  for (const [index, item] of value.entries()) checkInside(item as JsonObject, kind, checked, `${path}[${index}].`);
}

function fault({ subject, code = "CONFIG_INVALID" }: CheckedSubject, rest: string): ToolError {
  return new ToolError(code, subject + rest);
}

/** "agnet" → "agent"; a field that belongs one level deeper → "caller.agent". */
function nearestField(key: string, fields: Fields): string | undefined {
  const inner = Object.keys(fields).find((field) => Object.hasOwn(fields[field]!.fields ?? {}, key));
  return inner === undefined ? nearestNames(key, Object.keys(fields), 1)[0] : `${inner}.${key}`;
}

export function didYouMean(near: string | undefined, known: readonly string[], words: string, path = ""): string {
  return near === undefined ? `Known ${words}: ${known.join(", ")}.` : `Did you mean "${path}${near}"?`;
}

/** 5 → "5", "secret" → "a text", [] → "a list": what came, without what it holds. */
export function describeKind(value: unknown): string {
  if (typeof value === "string") return "a text";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "function" ? "a function" : String(value);
}

export const anything: FieldKind = { is: "anything", test: () => true };
export const text: FieldKind = { is: "a text", test: (value) => typeof value === "string" };
export const someText: FieldKind = { is: "a text that is not empty", test: (value) => typeof value === "string" && value !== "" };
export const flag: FieldKind = { is: "true or false", test: (value) => typeof value === "boolean" };
export const number: FieldKind = { is: "a number", test: (value) => typeof value === "number" && !Number.isNaN(value) };
export const positive: FieldKind = { is: "a number above 0", test: (value) => (value as number) > 0 && typeof value === "number" };
export const method: FieldKind = { is: "a function", test: (value) => typeof value === "function" };
export const texts: FieldKind = listOf("texts", (item) => typeof item === "string");
export const methods: FieldKind = listOf("functions", (item) => typeof item === "function");

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
