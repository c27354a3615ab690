import { canonicalJson, isObject, jsonEquals } from "../../util/json.ts";
import { nearestNames } from "../../util/nearest.ts";
import { formats } from "../../format/formats.ts";
import { type Complaint, orList, show } from "../issues.ts";
import { type TypeName, typeNames } from "../../schema/keywords.ts";
import { compilePattern } from "../../pattern/pattern.ts";
import { complain, type Rule } from "./rule.ts";

/** How each type is called in a sentence. */
const typeWords: Record<TypeName, string> = {
  null: "null",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  number: "a number",
  string: "a text",
  integer: "a whole number",
};

export const typeTests: Record<TypeName, (value: unknown) => boolean> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: Array.isArray,
  number: Number.isFinite,
  string: (value) => typeof value === "string",
  integer: Number.isInteger,
};

function typeOf(value: unknown): TypeName {
  return typeNames.find((name) => typeTests[name](value)) ?? "null";
}

export function typeComplaint(types: readonly TypeName[]): Complaint {
  return { keyword: "type", expected: orList(types.map((type) => typeWords[type])), types };
}

export function typeRule(argument: TypeName | readonly TypeName[]): Rule {
  const types = typeof argument === "string" ? [argument] : argument;
  const complaint = typeComplaint(types);
  const tests = types.map((type) => typeTests[type]);
  const only = tests[0];
  if (tests.length === 1 && only !== undefined) return (value, run) => only(value) || complain(run, complaint, value);
  return (value, run) => tests.some((test) => test(value)) || complain(run, complaint, value);
}

export function enumComplaint(values: readonly unknown[]): Complaint {
  const near = rememberNearest(values.filter((value) => typeof value === "string"));
  return {
    keyword: "enum",
    expected: values.length === 0 ? "absent (the schema allows no value)" : orList(values.map(showChoice)),
    types: [...new Set(values.map(typeOf))],
    choices: values,
    suggest: (value) => (typeof value === "string" ? near(value) : undefined),
  };
}

export function enumRule(values: readonly unknown[]): Rule {
  const plain = new Set(values.filter((value) => typeof value !== "object" || value === null));
  const compound = values.filter((value) => typeof value === "object" && value !== null);
  const complaint = enumComplaint(values);
  return (value, run) => plain.has(value) || compound.some((choice) => jsonEquals(choice, value)) || complain(run, complaint, value);
}

export function constComplaint(constant: unknown): Complaint {
  return { keyword: "const", expected: showChoice(constant), types: [typeOf(constant)], choices: [constant] };
}

export function constRule(constant: unknown): Rule {
  const complaint = constComplaint(constant);
  return (value, run) => jsonEquals(constant, value) || complain(run, complaint, value);
}

function showChoice(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? show(value) : text;
}

/** The same wrong word tends to come again: its nearest right one is worked out once. */
export function rememberNearest(names: readonly string[]): (wanted: string) => string | undefined {
  const remembered = new Map<string, string | undefined>();
  return (wanted) => {
    if (remembered.has(wanted)) return remembered.get(wanted);
    const nearest = nearestNames(wanted, names, 1)[0];
    if (remembered.size < 64 && wanted.length <= 128) remembered.set(wanted, nearest);
    return nearest;
  };
}

const numberTests: Record<string, readonly [test: (value: number, limit: number) => boolean, words: string]> = {
  minimum: [(value, limit) => value >= limit, "at least"],
  maximum: [(value, limit) => value <= limit, "at most"],
  exclusiveMinimum: [(value, limit) => value > limit, "above"],
  exclusiveMaximum: [(value, limit) => value < limit, "below"],
  multipleOf: [isMultiple, "a multiple of"],
};

export const numberKeywords: readonly string[] = Object.keys(numberTests);

export function numberComplaint(keyword: string, limit: number): Complaint {
  return { keyword, expected: `${numberTests[keyword]![1]} ${limit}` };
}

export function numberRule(keyword: string, limit: number): Rule {
  const [test] = numberTests[keyword]!;
  const complaint = numberComplaint(keyword, limit);
  return (value, run) => typeof value !== "number" || test(value, limit) || complain(run, complaint, value);
}

/** 0.3 is a multiple of 0.1: a quotient is whole when it is so within the precision of numbers. */
export function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  if (!Number.isFinite(quotient)) return false;
  const whole = Math.round(quotient);
  if (whole === 0) return value === 0;
  return Math.abs(quotient - whole) <= 4 * Number.EPSILON * Math.abs(quotient);
}

export type SizeKeyword = "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties";

const sizes: Record<
  SizeKeyword,
  readonly [measure: (value: unknown) => number | undefined, atMost: boolean, noun: readonly [one: string, many: string]]
> = {
  minLength: [textLength, false, ["character", "characters"]],
  maxLength: [textLength, true, ["character", "characters"]],
  minItems: [itemCount, false, ["item", "items"]],
  maxItems: [itemCount, true, ["item", "items"]],
  minProperties: [propertyCount, false, ["property", "properties"]],
  maxProperties: [propertyCount, true, ["property", "properties"]],
};

export function sizeComplaint(keyword: SizeKeyword, limit: number): Complaint {
  const [measure, atMost, [one, many]] = sizes[keyword];
  const count = (size: number): string => `${size} ${size === 1 ? one : many}`;
  const expected = `${atMost ? "at most" : "at least"} ${count(limit)}`;
  const received = (value: unknown): string => count(measure(value) ?? 0);
  return { keyword, expected, received, sentence: (name, value) => `${name} must have ${expected}, but it has ${received(value)}.` };
}

export function sizeRule(keyword: SizeKeyword, limit: number): Rule {
  const [measure, atMost] = sizes[keyword];
  const complaint = sizeComplaint(keyword, limit);
  return (value, run) => {
    const size = measure(value);
    return size === undefined || (atMost ? size <= limit : size >= limit) || complain(run, complaint, value);
  };
}

/** Characters as people count them: a surrogate pair is one. */
export function textLength(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  let length = value.length;
  // A search is many times as fast as the loop, and most long texts have no such pair.
  if (length > 10_000 && !/[\ud800-\udbff]/.test(value)) return length;
  for (let index = 0; index < value.length - 1; index++) {
    const code = value.charCodeAt(index);
    if (code >= 0xd800 && code <= 0xdbff && (value.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      length--;
      index++;
    }
  }
  return length;
}

function itemCount(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

/** A property whose value is undefined is absent. */
export function propertyCount(value: unknown): number | undefined {
  if (!isObject(value)) return undefined;
  let count = 0;
  for (const key of Object.keys(value)) if (value[key] !== undefined) count++;
  return count;
}

export function patternComplaint(source: string): Complaint {
  return { keyword: "pattern", expected: `a text that matches ${source}` };
}

export function patternRule(source: string): Rule {
  const pattern = compilePattern(source);
  const complaint = patternComplaint(source);
  return (value, run) => typeof value !== "string" || pattern.test(value) || complain(run, complaint, value);
}

export function formatComplaint(format: string): Complaint {
  return { keyword: "format", expected: `a valid ${format}` };
}

/** A format nobody knows is no check. */
export function formatRule(format: string): Rule | undefined {
  const test = formats.get(format);
  if (test === undefined) return undefined;
  const complaint = formatComplaint(format);
  return (value, run) => typeof value !== "string" || test(value) || complain(run, complaint, value);
}

const repeated: Complaint = {
  keyword: "uniqueItems",
  expected: "different from every other item",
  sentence: (name, value) => `${name} must differ from every other item, but ${show(value)} is there already.`,
};

export const uniqueItemsRule: Rule = (value, run) => {
  if (!Array.isArray(value)) return true;
  const twice = firstRepeat(value);
  return twice < 0 || complain(run, repeated, value[twice], twice);
};

function firstRepeat(items: readonly unknown[]): number {
  const plain = new Set<unknown>();
  const compound = new Set<string>();
  for (const [index, item] of items.entries()) {
    const isPlain = typeof item !== "object" || item === null;
    const text = isPlain ? "" : canonicalJson(item);
    if (isPlain ? plain.has(item) : compound.has(text)) return index;
    if (isPlain) plain.add(item);
    else compound.add(text);
  }
  return -1;
}
