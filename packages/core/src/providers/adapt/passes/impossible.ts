import { isImpossible, isObject, without } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { nodePass, type NodePass } from "../pass.ts";

/** Removes what no value can satisfy: properties that may never be given, branches that never match, items of a list that must be empty. */
export const removeImpossible: NodePass = nodePass(["not", "enum"], remove);

function remove(node: JsonSchema): JsonSchema {
  if (isImpossible(node)) return { not: {} };
  let next = node;
  const { properties, required, additionalProperties: rest, items, anyOf } = node;
  if (isImpossibleSchema(rest)) next = { ...next, additionalProperties: false };
  if (isImpossibleSchema(items))
    next = { ...without(next, "items"), maxItems: Array.isArray(node["prefixItems"]) ? node["prefixItems"].length : 0 };
  if (isObject(properties) && Object.values(properties).some(isImpossibleSchema)) {
    next = { ...next, properties: Object.fromEntries(Object.entries(properties).filter(([, inner]) => !isImpossibleSchema(inner))) };
  }
  if (Array.isArray(anyOf) && anyOf.some(isImpossibleSchema)) {
    const left = anyOf.filter((branch) => !isImpossibleSchema(branch));
    next = left.length > 0 ? { ...next, anyOf: left } : { not: {} };
  }
  if (node["type"] !== "object" || !Array.isArray(required)) return next;
  const needsImpossible = (required as string[]).some((key) => {
    const inner = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : rest;
    return inner === false ? !isObject(node["patternProperties"]) : isImpossibleSchema(inner);
  });
  return needsImpossible ? { not: {} } : next;
}

function isImpossibleSchema(schema: unknown): boolean {
  return isObject(schema) && isImpossible(schema);
}
