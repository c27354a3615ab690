import { annotationKeywords, intersectSchemas, isImpossible, isObject, type JsonObject, without } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import type { Location } from "../loss.ts";
import { forbid, negate, negateAll } from "./negate.ts";

const maxCases = 48;
const maxDepth = 12;

/** Looks up a definition, so that a branch that is a `$ref` can be intersected with its sibling keywords. */
export type FindDefinition = (reference: string) => JsonSchema | undefined;

/**
 * The cases that a schema distinguishes: plain schemas without anyOf, oneOf, if, dependencies or negations, whose union it is.
 * A keyword that cannot be split, or would make too many cases, is left out and lost. A case that is nothing but a `$ref` stays one.
 */
export function casesOf(schema: JsonSchema, find: FindDefinition, location: Location): JsonSchema[] {
  return split(schema, find, location, 0);
}

/** Each keyword offers some branches, of which one must hold: every branch is split for itself, and then one of each is combined. */
function split(schema: JsonSchema, find: FindDefinition, location: Location, depth: number): JsonSchema[] {
  if (isImpossible(schema)) return [];
  const present = splitters.filter(({ keyword, applies }) => Object.hasOwn(schema, keyword) && (applies === undefined || applies(schema)));
  if (present.length === 0) return [schema];
  const base = without(schema, ...present.flatMap(({ keyword, companions = [] }) => [keyword, ...companions]));
  let cases: readonly JsonSchema[] = [base];
  for (const { keyword, branchesOf } of present) {
    const choices = depth > maxDepth ? undefined : branchesOf(schema, location, base);
    if (choices === undefined) location.lose(keyword, `${keyword} cannot be said in a grammar here`);
    for (const branches of choices ?? []) {
      const plain = branches.flatMap((branch) => split(branch, find, location, depth + 1));
      const combined = combine(cases, plain, find, location, depth);
      if (typeof combined === "string") location.lose(keyword, `${keyword} ${combined}`);
      else cases = combined;
    }
  }
  return [...cases];
}

/** Every case with every branch, without those that cannot be; or why that does not work. */
function combine(
  cases: readonly JsonSchema[],
  branches: readonly JsonSchema[],
  find: FindDefinition,
  location: Location,
  depth: number,
): readonly JsonSchema[] | string {
  const combined = new Map<string, JsonSchema>(); // equal schemas whose properties stand in another order are two grammars
  for (const one of cases) {
    for (const branch of isEmpty(one) ? branches : branches.flatMap((reference) => opened(reference, find, location, depth))) {
      for (const base of isEmpty(branch) ? [one] : opened(one, find, location, depth)) {
        const met = meet(base, branch);
        if (met === undefined) return "has a branch that cannot be merged with what stands beside it";
        if (!isNever(met)) combined.set(JSON.stringify(met), met);
        if (combined.size > maxCases) return `makes more than ${maxCases} cases`;
      }
    }
  }
  return [...combined.values()];
}

/** What both accept; a branch stays itself where nothing stands beside it, so that recursion stays recursion. */
function meet(base: JsonSchema, branch: JsonSchema): JsonSchema | undefined {
  if (isEmpty(base)) return branch;
  return isEmpty(branch) ? base : intersectSchemas(base, besidePattern(base, branch));
}

/** The cases of the target of a `$ref`, intersected with its sibling keywords. */
function opened(schema: JsonSchema, find: FindDefinition, location: Location, depth: number): readonly JsonSchema[] {
  if (typeof schema["$ref"] !== "string") return [schema];
  const target = find(schema["$ref"]);
  const beside = without(schema, "$ref");
  if (target === undefined || depth > maxDepth) return [beside];
  const both = isEmpty(beside) ? target : intersectSchemas(target, beside);
  return both === undefined ? [beside] : split(both, find, location, depth + 1);
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

function isEmpty(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => annotationKeywords.has(keyword) || keyword === "$defs");
}

interface Splitter {
  readonly keyword: string;
  readonly companions?: readonly string[];
  readonly applies?: (schema: JsonSchema) => boolean;
  /** Lists of branches; of each list one branch must hold. */
  readonly branchesOf: (schema: JsonSchema, location: Location, base: JsonSchema) => Choices | undefined;
}

type Choices = readonly (readonly JsonSchema[])[];

/** In this order: keywords with one branch first, those that double the cases last. */
const splitters: readonly Splitter[] = [
  { keyword: "allOf", branchesOf: (schema) => (schema["allOf"] as JsonSchema[]).map((branch) => [branch]) },
  { keyword: "anyOf", branchesOf: (schema) => [schema["anyOf"] as JsonSchema[]] },
  { keyword: "oneOf", branchesOf: exclusive },
  { keyword: "if", companions: ["then", "else"], branchesOf: conditional },
  { keyword: "not", applies: (schema) => !isLeaf(schema["not"]), branchesOf: (schema) => single(negate(schema["not"] as JsonSchema)) },
  { keyword: "dependentRequired", branchesOf: (schema) => dependencies(schema, "dependentRequired") },
  { keyword: "dependentSchemas", branchesOf: (schema) => dependencies(schema, "dependentSchemas") },
];

function single(branches: readonly JsonSchema[] | undefined): Choices | undefined {
  return branches === undefined ? undefined : [branches];
}

/** Excluded values, patterns, formats and integers are left to the builders of texts and numbers. */
function isLeaf(not: unknown): boolean {
  if (!isObject(not)) return false;
  const keywords = Object.keys(not).filter((keyword) => !annotationKeywords.has(keyword));
  if (keywords.length !== 1) return false;
  if (keywords[0] === "anyOf") return (not["anyOf"] as unknown[]).every(isLeaf);
  return keywords[0] === "enum" || keywords[0] === "pattern" || keywords[0] === "format" || not["type"] === "integer";
}

/** Exactly one of them. Branches that exclude each other anyway are a plain union. */
function exclusive(schema: JsonSchema, location: Location, base: JsonSchema): Choices {
  const branches = schema["oneOf"] as JsonSchema[];
  const isDisjoint = branches.every((one, index) => branches.slice(index + 1).every((other) => excludeEachOther(one, other, base)));
  if (isDisjoint) return [branches];
  const separated = branches.map((one, index) => {
    const others = negateAll(branches.filter((_, other) => other !== index).map((other) => withoutSharedType(other, one)));
    return others?.map((other) => intersectSchemas(one, other));
  });
  const flat = separated.flat();
  if (flat.every((branch) => branch !== undefined)) return [flat];
  location.lose("oneOf", "branches that overlap are read as anyOf");
  return [branches];
}

/** The type is already known here and need not be repeated. */
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

/** Certainly accepts nothing: by its own words, because a required property can have no value, or because a range is empty. */
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

function conditional(schema: JsonSchema): Choices | undefined {
  const condition = schema["if"] as JsonSchema;
  const met = intersectSchemas(condition, branchOf(schema["then"]));
  const unmet = negate(condition)?.map((branch) => intersectSchemas(branch, branchOf(schema["else"])));
  if (met === undefined || unmet === undefined || unmet.some((branch) => branch === undefined)) return undefined;
  return [[met, ...(unmet as JsonSchema[])]];
}

function branchOf(schema: unknown): JsonSchema {
  return isObject(schema) ? schema : {};
}

/** For each key with demands: it is absent, or it is there and they hold. */
function dependencies(schema: JsonSchema, keyword: string): Choices | undefined {
  const choices: JsonSchema[][] = [];
  for (const [key, demand] of Object.entries(schema[keyword] as JsonObject)) {
    const holds = Array.isArray(demand)
      ? { required: [...new Set([key, ...(demand as string[])])] }
      : intersectSchemas({ required: [key] }, demand as JsonSchema);
    if (holds === undefined) return undefined;
    choices.push([forbid(key), holds]);
  }
  return choices;
}
