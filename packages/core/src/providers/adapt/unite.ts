import { annotationKeywords, isImpossible, isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { canonicalJson, jsonEquals, type JsonSchema } from "@toolrack/json-schema";
import { typesOf } from "./types.ts";

/** More alternatives than this are pooled into one schema instead. */
export const maxAlternatives = 24;

/**
 * One schema without a union on top that accepts whatever one of the branches accepts, and a little more:
 * every property is kept, values of a property are pooled, and only what all branches require is required.
 */
export function uniteSchemas(branches: readonly JsonSchema[]): JsonSchema {
  const possible = branches.filter((branch) => !isImpossible(branch));
  if (possible.length === 0) return { not: {} };
  // Neighbours first, then pairs of pairs: a thousand branches with a property each would otherwise be copied a thousand times.
  let level: readonly JsonSchema[] = possible;
  while (level.length > 1) {
    const pairs = level;
    level = Array.from({ length: Math.ceil(pairs.length / 2) }, (_, index) => {
      const [left, right] = [pairs[index * 2]!, pairs[index * 2 + 1]];
      return right === undefined ? left : uniteTwo(left, right);
    });
  }
  return level[0]!;
}

function uniteTwo(a: JsonSchema, b: JsonSchema): JsonSchema {
  if (jsonEquals(a, b)) return a;
  if (!jsonEquals(a["patternProperties"], b["patternProperties"])) return uniteTwo(widenPatterns(a), widenPatterns(b));
  const [typesA, typesB] = [typesOf(a), typesOf(b)];
  const annotations = { ...pick(b, annotationKeywords), ...pick(a, annotationKeywords) };
  if (typesA === undefined || typesB === undefined) return annotations;
  const types = [...new Set([...typesA, ...typesB])];
  const united: JsonObject = { ...annotations, type: simplify(types) };
  for (const [type, keywords] of keywordsByType) {
    const sides = [typesA.some((name) => kindOf(name) === type) && a, typesB.some((name) => kindOf(name) === type) && b].filter(isObject);
    if (sides.length === 1) Object.assign(united, pick(sides[0]!, new Set(keywords.keys())));
    else if (sides.length === 2)
      for (const [keyword, unite] of keywords) assign(united, keyword, unite(sides[0]![keyword], sides[1]![keyword], sides));
  }
  const values = uniteEnums(a, b);
  if (values !== undefined) united["enum"] = values;
  return united;
}

/** What one property may hold when two branches name it: pooled values where both list them, otherwise either schema. */
export function eitherOf(a: JsonSchema, b: JsonSchema): JsonSchema {
  if (jsonEquals(withoutAnnotations(a), withoutAnnotations(b))) return a;
  if (Array.isArray(a["enum"]) && Array.isArray(b["enum"])) return uniteTwo(a, b);
  const [left, right] = [a, b].map((schema) => (isBareUnion(schema) ? (schema["anyOf"] as JsonSchema[]) : [schema])) as [
    JsonSchema[],
    JsonSchema[],
  ];
  const distinct = [...left, ...right.filter((branch) => !left.some((other) => jsonEquals(other, branch)))];
  if (distinct.some((branch) => Object.keys(withoutAnnotations(branch)).length === 0)) return pick(a, annotationKeywords);
  if (distinct.length > maxAlternatives) return uniteSchemas(distinct);
  return distinct.length === 1 ? distinct[0]! : { anyOf: distinct };
}

/** { patternProperties: { "^x": A }, additionalProperties: B } → { additionalProperties: A or B } */
export function widenPatterns(schema: JsonSchema): JsonSchema {
  const { patternProperties, additionalProperties: rest, ...others } = schema;
  if (!isObject(patternProperties)) return schema;
  const schemas = Object.values(patternProperties) as JsonSchema[];
  if (rest !== false) schemas.push(isObject(rest) ? rest : {});
  return { ...others, additionalProperties: schemas.length === 0 ? false : schemas.reduce(eitherOf) };
}

type Unite = (a: unknown, b: unknown, sides: readonly JsonSchema[]) => unknown;

const ifBoth =
  (combine: (a: number, b: number) => number): Unite =>
  (a, b) =>
    typeof a === "number" && typeof b === "number" ? combine(a, b) : undefined;
const ifEqual: Unite = (a, b) => (jsonEquals(a, b) ? a : undefined);
const eitherSchema: Unite = (a, b) => (isObject(a) && isObject(b) ? eitherOf(a, b) : undefined);

const keywordsByType: ReadonlyMap<string, ReadonlyMap<string, Unite>> = new Map([
  [
    "string",
    new Map([
      ["minLength", ifBoth(Math.min)],
      ["maxLength", ifBoth(Math.max)],
      ["pattern", ifEqual],
      ["format", ifEqual],
    ]),
  ],
  [
    "number",
    new Map([
      ["minimum", ifBoth(Math.min)],
      ["maximum", ifBoth(Math.max)],
      ["exclusiveMinimum", ifBoth(Math.min)],
      ["exclusiveMaximum", ifBoth(Math.max)],
      ["multipleOf", ifEqual],
    ]),
  ],
  [
    "array",
    new Map<string, Unite>([
      ["items", (a, b, sides) => (sides.some((side) => Object.hasOwn(side, "prefixItems")) ? undefined : eitherSchema(a, b, sides))],
      ["minItems", ifBoth(Math.min)],
      ["maxItems", ifBoth(Math.max)],
      ["uniqueItems", ifEqual],
      ["prefixItems", ifEqual],
      ["contains", ifEqual],
    ]),
  ],
  [
    "object",
    new Map<string, Unite>([
      ["properties", (a, b, sides) => uniteProperties(a, b, sides)],
      ["required", (a, b) => (Array.isArray(a) && Array.isArray(b) ? a.filter((key) => b.includes(key)) : undefined)],
      ["additionalProperties", (a, b) => (a === false && b === false ? false : a === false ? b : b === false ? a : eitherSchema(a, b, []))],
      ["patternProperties", ifEqual],
      ["minProperties", ifBoth(Math.min)],
      ["maxProperties", ifBoth(Math.max)],
    ]),
  ],
]);

/** A property that only one branch names keeps its schema; what the other branch says about further keys is added to it. */
function uniteProperties(a: unknown, b: unknown, sides: readonly JsonSchema[]): JsonObject | undefined {
  const [inA, inB] = [isObject(a) ? a : {}, isObject(b) ? b : {}];
  const [restA, restB] = sides.map(furtherKeys);
  const keys = [...new Set([...Object.keys(inA), ...Object.keys(inB)])];
  if (keys.length === 0) return a === undefined && b === undefined ? undefined : {};
  const entries = keys.map((key) => {
    const left = Object.hasOwn(inA, key) ? inA[key] : undeclared(sides[0]!, key, restA);
    const right = Object.hasOwn(inB, key) ? inB[key] : undeclared(sides[1]!, key, restB);
    if (!isObject(left) || isImpossible(left)) return [key, isObject(right) ? right : {}];
    return [key, isObject(right) && !isImpossible(right) ? eitherOf(left, right) : left];
  });
  return Object.fromEntries(entries);
}

/** An object that declares nothing is meant to hold anything; one that declares something and says no more is taken at its word. */
function furtherKeys(schema: JsonSchema): unknown {
  const { properties, additionalProperties } = schema;
  const declaresNothing = !isObject(properties) || Object.keys(properties).length === 0;
  return additionalProperties === undefined && declaresNothing ? {} : additionalProperties;
}

/** A key that is required and not declared may hold anything. */
function undeclared(schema: JsonSchema, key: string, rest: unknown): unknown {
  const isRequired = Array.isArray(schema["required"]) && schema["required"].includes(key);
  return rest === undefined && isRequired ? {} : rest;
}

function uniteEnums(a: JsonSchema, b: JsonSchema): unknown[] | undefined {
  if (!Array.isArray(a["enum"]) || !Array.isArray(b["enum"])) return undefined;
  return [...new Map([...a["enum"], ...b["enum"]].map((value) => [canonicalJson(value), value])).values()];
}

function simplify(types: readonly string[]): unknown {
  const few = types.includes("number") ? types.filter((name) => name !== "integer") : types;
  return few.length === 1 ? few[0] : few;
}

function kindOf(type: string): string {
  return type === "integer" ? "number" : type;
}

function assign(target: JsonObject, keyword: string, value: unknown): void {
  if (value !== undefined) target[keyword] = value;
}

function pick(schema: JsonSchema, keywords: { has(keyword: string): boolean }): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keywords.has(keyword)));
}

function withoutAnnotations(schema: JsonSchema): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !annotationKeywords.has(keyword)));
}

function isBareUnion(schema: JsonSchema): boolean {
  return Array.isArray(schema["anyOf"]) && Object.keys(withoutAnnotations(schema)).length === 1;
}
