import { annotationKeywords, isObject, type Place, rewriteChildren, rewriteSchema, without } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { alternativesOf } from "../alternatives.ts";
import { type AdaptContext, type AdaptPass, when } from "../pass.ts";
import { typesOf, withNull } from "../types.ts";
import { maxAlternatives, uniteSchemas } from "../unite.ts";

/** Leaves `anyOf` alone on its node, without `oneOf`; lists of literals become one list, and "T or null" one schema with two types. */
export const tidyUnions: AdaptPass = when(["anyOf", "oneOf"], (schema, context) => {
  // From the top, because merging what stands beside a union into its branches makes new unions further in.
  const tidy = (node: JsonSchema, place?: Place): JsonSchema => {
    if (Object.hasOwn(node, "oneOf")) context.lose(place, "oneOf", "read as anyOf: that only one branch may match is no longer said");
    return rewriteChildren(isUnion(node) ? joinBranches(node, alternativesOf(node), place, context) : node, tidy, place);
  };
  return tidy(schema);
});

/** Leaves no union at all: the branches become one schema that keeps every property. */
export const uniteUnions: AdaptPass = when(["anyOf", "oneOf"], (schema, context) => {
  const definitions = isObject(schema["$defs"]) ? schema["$defs"] : {};
  const flatten = (node: JsonSchema, place: Place | undefined, opened: boolean): JsonSchema => {
    const isOpen = isUnion(node) && alternativesOf(node).some((branch) => Object.hasOwn(branch, "$ref"));
    const branches = isUnion(node) ? alternativesOf(node).map((branch) => openReference(branch, definitions, opened)) : undefined;
    if (branches !== undefined)
      context.lose(place, Object.hasOwn(node, "anyOf") ? "anyOf" : "oneOf", "the branches were merged into one schema");
    const flat = branches === undefined ? node : { ...keepAround(node), ...uniteSchemas(branches), ...pickAnnotations(node) };
    return rewriteChildren(flat, (inner, at) => flatten(inner, at, opened || isOpen), place);
  };
  return flatten(schema, undefined, false);
});

/** Merges the branches that are objects into one, for vendors where a union may stand but its objects confuse the model. */
export const uniteObjects: AdaptPass = when(["anyOf", "oneOf"], (schema, context) =>
  rewriteSchema(schema, (node, place) => {
    if (!isUnion(node)) return node;
    const branches = alternativesOf(node);
    const objects = branches.filter((branch) => isOnly(branch, "object"));
    if (objects.length < 2) return node;
    context.lose(place, Object.hasOwn(node, "anyOf") ? "anyOf" : "oneOf", "the objects were merged into one");
    return joinBranches(node, [uniteSchemas(objects), ...branches.filter((branch) => !objects.includes(branch))], place, context);
  }),
);

function joinBranches(node: JsonSchema, branches: readonly JsonSchema[], place: Place | undefined, context: AdaptContext): JsonSchema {
  const around = { ...keepAround(node), ...pickAnnotations(node) };
  if (branches.length === 0) return { ...around, not: {} };
  if (branches.length === 1) return { ...branches[0], ...around };
  if (branches.some((branch) => Object.keys(without(branch, ...annotationKeywords)).length === 0)) return around;
  const literals = branches.filter((branch) => Array.isArray(branch["enum"]) && typesOf(branch)?.every(isScalar));
  if (literals.length === branches.length) return { ...uniteSchemas(branches), ...around };
  const nulls = branches.filter((branch) => isOnly(branch, "null"));
  const [other, ...more] = branches.filter((branch) => !nulls.includes(branch));
  if (other !== undefined && more.length === 0 && typesOf(other)?.every(isScalar)) return { ...withNull(other), ...around };
  if (branches.length <= maxAlternatives) return { ...around, anyOf: branches };
  context.lose(place, "anyOf", `more than ${maxAlternatives} branches were merged into one schema`);
  return { ...uniteSchemas(branches), ...around };
}

function isUnion(node: JsonSchema): boolean {
  return Array.isArray(node["anyOf"]) || Array.isArray(node["oneOf"]);
}

function isScalar(type: string): boolean {
  return type !== "object" && type !== "array";
}

function isOnly(schema: JsonSchema, type: string): boolean {
  const types = typesOf(schema);
  return types?.length === 1 && types[0] === type && !isUnion(schema) && !Object.hasOwn(schema, "$ref");
}

function keepAround(node: JsonSchema): JsonSchema {
  return Object.hasOwn(node, "$defs") ? { $defs: node["$defs"] } : {};
}

function pickAnnotations(node: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(node).filter(([keyword]) => annotationKeywords.has(keyword)));
}

/** A recursive schema is replaced once; further in only its type is kept. */
function openReference(branch: JsonSchema, definitions: JsonSchema, opened: boolean): JsonSchema {
  if (typeof branch["$ref"] !== "string") return branch;
  const target = definitions[branch["$ref"].slice("#/$defs/".length)];
  if (!isObject(target) || isUnion(target)) return {};
  if (!opened) return target;
  const types = typesOf(target);
  return types === undefined ? {} : { type: types };
}
