import { SchemaError } from "../errors.ts";
import { isObject, type JsonObject } from "../util/json.ts";
import { nearestNames } from "../util/nearest.ts";
import { type ArgumentKind, escapePointer, keywords, typeNames } from "./keywords.ts";
import { checkPatternText } from "../pattern/check-text.ts";
import type { JsonSchema } from "./schema.ts";

/** More than any honest schema needs, and little enough that a hostile one cannot stall the process. */
export const schemaLimits = { depth: 128, values: 20_000, textLength: 1_000_000 } as const;

/** A pattern, and the pointer of the keyword that has it. */
export interface FoundPattern {
  readonly source: string;
  readonly path: string;
}

/** A keyword that JSON Schema does not have, the schema that has it, and the pointer of that schema. */
export interface UnknownKeyword {
  readonly keyword: string;
  readonly schema: JsonSchema;
  readonly path: string;
}

interface Found {
  readonly patterns: FoundPattern[];
  readonly unknown: UnknownKeyword[];
}

const nothing: Found = { patterns: [], unknown: [] };
const known = new WeakMap<object, Found>();

/**
 * Reads a schema from anywhere: a frozen copy of its plain JSON, with every keyword's argument checked. Of patterns only the spelling is
 * checked; `readSchema` also refuses those that cannot be run in linear time, and needs what runs them.
 * Throws SCHEMA_INVALID with the pointer of the fault. A schema that was read before is returned as it is.
 */
export function readSchemaShape(schema: unknown): JsonSchema {
  if (typeof schema === "object" && schema !== null && known.has(schema)) return schema as JsonSchema;
  if (!isObject(schema)) throw invalidAt("", `a schema must be an object, not ${describe(schema)}`);
  const copy = copyJson(schema, "", 0, { values: 0, textLength: 0 }) as JsonObject;
  const found: Found = { patterns: [], unknown: [] };
  checkSchema(copy, "", found);
  known.set(copy, found.patterns.length + found.unknown.length === 0 ? nothing : found);
  return copy;
}

/** The patterns of a schema that was read. */
export function patternsOf(schema: JsonSchema): readonly FoundPattern[] {
  return (known.get(schema) ?? nothing).patterns;
}

/** The keywords of a schema that was read which JSON Schema does not have: extensions, and misspelt ones. */
export function unknownKeywordsOf(schema: JsonSchema): readonly UnknownKeyword[] {
  return (known.get(schema) ?? nothing).unknown;
}

interface Size {
  values: number;
  textLength: number;
}

function copyJson(value: unknown, path: string, depth: number, size: Size): unknown {
  if (++size.values > schemaLimits.values) throw invalidAt(path, `the schema has more than ${schemaLimits.values} values`);
  if (typeof value === "string") {
    countText(value, path, size);
    return value;
  }
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw invalidAt(path, `${value} is not a JSON number`);
  }
  if (typeof value !== "object") throw invalidAt(path, `${value === undefined ? "a gap" : `a ${typeof value}`} is not JSON`);
  if (depth > schemaLimits.depth)
    throw invalidAt(path.slice(0, 80), `the schema is circular, or nested more than ${schemaLimits.depth} deep`);
  if (Array.isArray(value)) {
    return Object.freeze(Array.from(value, (item, index) => copyJson(item, `${path}/${index}`, depth + 1, size)));
  }
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const inner = (value as JsonObject)[key];
    if (inner === undefined) continue;
    countText(key, path, size);
    const copied = copyJson(inner, `${path}/${escapePointer(key)}`, depth + 1, size);
    // A plain assignment to "__proto__" would change the prototype instead of making a property.
    if (key === "__proto__") Object.defineProperty(copy, key, { value: copied, enumerable: true, configurable: true, writable: true });
    else copy[key] = copied;
  }
  return Object.freeze(copy);
}

function countText(text: string, path: string, size: Size): void {
  size.textLength += text.length;
  if (size.textLength > schemaLimits.textLength) throw invalidAt(path, `the schema has more than ${schemaLimits.textLength} characters`);
}

function checkSchema(schema: unknown, path: string, found: Found): void {
  if (typeof schema === "boolean") return;
  if (!isObject(schema)) throw invalidAt(path, `a schema must be an object, true or false, not ${describe(schema)}`);
  for (const keyword of Object.keys(schema)) {
    const kind = keywords.get(keyword)?.kind;
    if (kind === undefined) found.unknown.push({ keyword, schema, path });
    else checkArgument(keyword, kind, schema[keyword], `${path}/${escapePointer(keyword)}`, found);
  }
}

function checkArgument(keyword: string, kind: ArgumentKind, argument: unknown, path: string, found: Found): void {
  const must = (right: boolean, expected: string): void => {
    if (!right) throw invalidAt(path, `"${keyword}" must be ${expected}, not ${describe(argument)}`);
  };
  switch (kind) {
    case "schema":
      return checkSchema(argument, path, found);
    case "schemaOrList":
      if (!Array.isArray(argument)) return checkSchema(argument, path, found);
      return argument.forEach((inner, index) => checkSchema(inner, `${path}/${index}`, found));
    case "schemaList":
      must(Array.isArray(argument) && argument.length > 0, "a list of at least one schema");
      return (argument as unknown[]).forEach((inner, index) => checkSchema(inner, `${path}/${index}`, found));
    case "schemaMap":
    case "schemaOrStringsMap":
      must(isObject(argument), "an object of schemas");
      for (const key of Object.keys(argument as JsonObject)) {
        const inner = (argument as JsonObject)[key];
        if (keyword === "patternProperties") notePattern(key, path, found);
        if (kind === "schemaOrStringsMap" && isStrings(inner)) continue;
        checkSchema(inner, `${path}/${escapePointer(key)}`, found);
      }
      return;
    case "type": {
      const names = Array.isArray(argument) ? argument : [argument];
      const wrong = names.find((name) => !(typeNames as readonly unknown[]).includes(name));
      const near = typeof wrong === "string" ? nearestNames(wrong, typeNames, 1)[0] : undefined;
      const meant = near === undefined ? "" : ` (did you mean "${near}"?)`;
      return must(names.length > 0 && wrong === undefined, `one of ${typeNames.join(", ")}, or a list of them${meant}`);
    }
    case "number":
      return must(typeof argument === "number", "a number");
    case "positive":
      return must(typeof argument === "number" && argument > 0, "a number above 0");
    case "count":
      return must(Number.isInteger(argument) && (argument as number) >= 0, "a whole number from 0");
    case "strings":
      return must(isStrings(argument), "a list of texts");
    case "stringsMap":
      return must(isObject(argument) && Object.values(argument).every(isStrings), "an object of lists of texts");
    case "list":
      return must(Array.isArray(argument), "a list");
    case "string":
      return must(typeof argument === "string", "a text");
    case "pattern":
      must(typeof argument === "string", "a text");
      return notePattern(argument as string, path, found);
    case "boolean":
      return must(typeof argument === "boolean", "true or false");
    case "any":
      return;
  }
}

function notePattern(source: string, path: string, { patterns }: Found): void {
  try {
    checkPatternText(source);
  } catch (error) {
    throw invalidAt(path, (error as Error).message.slice(0, -1));
  }
  patterns.push({ source, path });
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** What a value is, for messages. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === "object") return "an object";
  return typeof value === "function" ? "a function" : String(value);
}

export function invalidAt(path: string, fact: string): SchemaError {
  return new SchemaError("SCHEMA_INVALID", `The schema is wrong at "${path === "" ? "/" : path}": ${fact}.`);
}
