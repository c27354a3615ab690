import { intersectSchemas } from "../schema/normal/intersect.ts";
import { annotationKeywords, isImpossible, without } from "../schema/normal/walk.ts";
import type { JsonSchema } from "../schema/schema.ts";
import { isObject, type JsonObject } from "../util/json.ts";
import type { Place } from "./loss.ts";
import { forbid, negate, negateAll } from "./negate.ts";

const maxCases = 48;
const maxDepth = 12;

/** Looks a definition up, so that a branch that is a `$ref` can be met with what stands beside it. */
export type FindDefinition = (reference: string) => JsonSchema | undefined;

/**
 * The cases that a schema distinguishes: plain schemas without anyOf, oneOf, if, dependencies or negations, whose union it is.
 * A keyword that cannot be split is left out and lost. A case that is nothing but a `$ref` stays one.
 */
export function casesOf(schema: JsonSchema, find: FindDefinition, place: Place): JsonSchema[] {
  return split(schema, find, place, 0);
}

function split(schema: JsonSchema, find: FindDefinition, place: Place, depth: number): JsonSchema[] {
  if (isImpossible(schema)) return [];
  const splitter = splitters.find(({ keyword, applies }) => Object.hasOwn(schema, keyword) && (applies === undefined || applies(schema)));
  if (splitter === undefined) return [schema];
  const { keyword, companions = [], branchesOf } = splitter;
  let rest = without(schema, keyword, ...companions);
  let branches: readonly JsonSchema[] | undefined;
  if (keyword === "allOf") {
    const [first, ...others] = schema["allOf"] as JsonSchema[];
    if (others.length > 0) rest = { ...rest, allOf: others };
    branches = split(first!, find, place, depth + 1);
  } else if (depth <= maxDepth) branches = branchesOf(schema, place, rest);

  const lost = (note: string): JsonSchema[] => {
    place.lose(keyword, note);
    return split(rest, find, place, depth);
  };
  if (branches === undefined) return lost(`${keyword} cannot be said in a grammar here`);
  const cases: JsonSchema[] = [];
  for (const branch of branches) {
    const met = meet(rest, branch, find);
    if (met === undefined) return lost(`a branch of ${keyword} cannot be merged with what stands beside it`);
    cases.push(...split(met, find, place, depth + 1));
    if (cases.length > maxCases) return lost(`${keyword} has more than ${maxCases} cases`);
  }
  return distinct(cases);
}

/** Equal schemas whose properties stand in another order are two grammars. */
function distinct(cases: readonly JsonSchema[]): JsonSchema[] {
  return [...new Map(cases.map((one) => [JSON.stringify(one), one])).values()];
}

/** What both accept; a branch stays itself where nothing stands beside it, so that recursion stays recursion. */
function meet(rest: JsonSchema, branch: JsonSchema, find: FindDefinition): JsonSchema | undefined {
  if (isImpossible(branch)) return branch;
  if (isEmpty(rest)) return branch;
  if (isEmpty(branch)) return rest;
  const opened = open(branch, find);
  const base = open(rest, find);
  return opened === undefined || base === undefined ? undefined : intersectSchemas(base, besidePattern(base, opened));
}

/** Two patterns for one text: the second is kept aside, where the builder of texts finds it. */
function besidePattern(base: JsonSchema, branch: JsonSchema): JsonSchema {
  const { pattern } = branch;
  if (typeof pattern !== "string" || typeof base["pattern"] !== "string" || base["pattern"] === pattern) return branch;
  const further = Array.isArray(base[furtherPatterns]) ? base[furtherPatterns] : [];
  return { ...without(branch, "pattern"), [furtherPatterns]: [...further, pattern] };
}

/** No keyword of a schema, which is text that somebody typed, begins like this. */
export const furtherPatterns = "\u0000patterns";

function open(schema: JsonSchema, find: FindDefinition): JsonSchema | undefined {
  if (typeof schema["$ref"] !== "string") return schema;
  const target = find(schema["$ref"]);
  const beside = without(schema, "$ref");
  return target === undefined ? undefined : isEmpty(beside) ? target : intersectSchemas(target, beside);
}

function isEmpty(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => annotationKeywords.has(keyword) || keyword === "$defs");
}

interface Splitter {
  readonly keyword: string;
  readonly companions?: readonly string[];
  readonly applies?: (schema: JsonSchema) => boolean;
  readonly branchesOf: (schema: JsonSchema, place: Place, rest: JsonSchema) => readonly JsonSchema[] | undefined;
}

/** In this order: what is certain first, what doubles the cases last. */
const splitters: readonly Splitter[] = [
  { keyword: "allOf", branchesOf: (schema) => schema["allOf"] as JsonSchema[] },
  { keyword: "anyOf", branchesOf: (schema) => schema["anyOf"] as JsonSchema[] },
  { keyword: "oneOf", branchesOf: exclusive },
  { keyword: "if", companions: ["then", "else"], branchesOf: conditional },
  { keyword: "not", applies: (schema) => !isLeaf(schema["not"]), branchesOf: (schema) => negate(schema["not"] as JsonSchema) },
  { keyword: "dependentRequired", branchesOf: (schema) => dependencies(schema, "dependentRequired") },
  { keyword: "dependentSchemas", branchesOf: (schema) => dependencies(schema, "dependentSchemas") },
];

/** Excluded values, patterns, formats and integers are left to the builders of texts and numbers. */
function isLeaf(not: unknown): boolean {
  if (!isObject(not)) return false;
  const keywords = Object.keys(not).filter((keyword) => !annotationKeywords.has(keyword));
  if (keywords.length !== 1) return false;
  if (keywords[0] === "anyOf") return (not["anyOf"] as unknown[]).every(isLeaf);
  return keywords[0] === "enum" || keywords[0] === "pattern" || keywords[0] === "format" || not["type"] === "integer";
}

/** Exactly one of them. Branches that exclude each other anyway are a plain union. */
function exclusive(schema: JsonSchema, place: Place, rest: JsonSchema): readonly JsonSchema[] {
  const branches = schema["oneOf"] as JsonSchema[];
  const isDisjoint = branches.every((one, index) => branches.slice(index + 1).every((other) => excludeEachOther(one, other, rest)));
  if (isDisjoint) return branches;
  const separated = branches.map((one, index) => {
    const others = negateAll(branches.filter((_, other) => other !== index).map((other) => withoutSharedType(other, one)));
    return others?.map((other) => intersectSchemas(one, other));
  });
  const flat = separated.flat();
  if (flat.every((branch) => branch !== undefined)) return flat;
  place.lose("oneOf", "branches that overlap are read as anyOf");
  return branches;
}

/** Among values of a type it need not be said again. */
function withoutSharedType(schema: JsonSchema, among: JsonSchema): JsonSchema {
  const [type, shared] = [schema["type"], among["type"]];
  const isShared = type !== undefined && (type === shared || (type === "number" && shared === "integer"));
  return isShared ? without(schema, "type") : schema;
}

function excludeEachOther(a: JsonSchema, b: JsonSchema, rest: JsonSchema): boolean {
  const met = intersectSchemas(a, b);
  if (met === undefined) return false;
  if (isNever(met)) return true;
  const within = intersectSchemas(rest, met);
  return within !== undefined && isNever(within);
}

/** Surely accepts nothing: it says so, a required property can have no value, or a range is empty. */
function isNever(schema: JsonSchema): boolean {
  if (isImpossible(schema)) return true;
  if (Array.isArray(schema["enum"]) && schema["enum"].length === 0) return true;
  const type = schema["type"];
  if (Array.isArray(type) && type.length === 0) return true;
  if (isEmptyRange(schema)) return typeof type === "string";
  if (type !== "object" && !isObject(schema["properties"])) return false;
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? (schema["required"] as string[]) : [];
  return required.some((key) => {
    if (Object.hasOwn(properties, key)) return isNever(properties[key] as JsonSchema);
    return schema["additionalProperties"] === false && !isObject(schema["patternProperties"]);
  });
}

function isEmptyRange(schema: JsonSchema): boolean {
  const number = (keyword: string, otherwise: number): number => (typeof schema[keyword] === "number" ? schema[keyword] : otherwise);
  const low = Math.max(number("minimum", -Infinity), number("exclusiveMinimum", -Infinity));
  const high = Math.min(number("maximum", Infinity), number("exclusiveMaximum", Infinity));
  if (low > high) return true;
  if (low === high && (low === schema["exclusiveMinimum"] || high === schema["exclusiveMaximum"])) return true;
  return ["Length", "Items", "Properties"].some((size) => number(`min${size}`, 0) > number(`max${size}`, Infinity));
}

function conditional(schema: JsonSchema): readonly JsonSchema[] | undefined {
  const condition = schema["if"] as JsonSchema;
  const met = intersectSchemas(condition, branchOf(schema["then"]));
  const unmet = negate(condition)?.map((branch) => intersectSchemas(branch, branchOf(schema["else"])));
  if (met === undefined || unmet === undefined || unmet.some((branch) => branch === undefined)) return undefined;
  return [met, ...(unmet as JsonSchema[])];
}

function branchOf(schema: unknown): JsonSchema {
  return isObject(schema) ? schema : {};
}

/** For each key with demands: it is absent, or it is there and they hold. */
function dependencies(schema: JsonSchema, keyword: string): readonly JsonSchema[] | undefined {
  let cases: JsonSchema[] = [{}];
  for (const [key, demand] of Object.entries(schema[keyword] as JsonObject)) {
    const there: JsonSchema = { required: [key] };
    const holds = Array.isArray(demand)
      ? { required: [...new Set([key, ...(demand as string[])])] }
      : intersectSchemas(there, demand as JsonSchema);
    if (holds === undefined) return undefined;
    const next = cases.flatMap((one) => [intersectSchemas(one, forbid(key)), intersectSchemas(one, holds)]);
    if (next.some((one) => one === undefined) || next.length > maxCases) return undefined;
    cases = (next as JsonSchema[]).filter((one) => !isNever(one));
  }
  return cases;
}
