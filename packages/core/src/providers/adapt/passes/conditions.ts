import { isImpossible, isObject, type Place, rewriteSchema, without } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { hintFor, withHints } from "../describe.ts";
import { type AdaptContext, type AdaptPass, when } from "../pass.ts";
import { eitherOf } from "../unite.ts";

const conditions = [
  "allOf",
  "if",
  "then",
  "else",
  "not",
  "dependentRequired",
  "dependentSchemas",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems",
];

/**
 * Drops the keywords that judge a value by a condition (`if`, `not`, `dependentSchemas`, what is left of `allOf` …).
 * Properties that stand only inside a condition become optional properties of the object itself, so that a model can still give them.
 */
export const dropConditions: AdaptPass = when(conditions, (schema, context) =>
  rewriteSchema(schema, (node, place) => dropIn(node, place, context)),
);

function dropIn(node: JsonSchema, place: Place | undefined, context: AdaptContext): JsonSchema {
  const present = conditions.filter((keyword) => Object.hasOwn(node, keyword));
  if (present.length === 0 || isImpossible(node)) return node;
  const hints: string[] = [];
  for (const keyword of present) {
    if (keyword === "then" || keyword === "else" || saysNothing(keyword, node[keyword])) continue;
    const hint = hintFor(keyword, node);
    if (hint !== undefined) hints.push(hint);
    context.lose(place, keyword, hint === undefined ? "dropped" : "dropped, and noted in the description");
  }
  return withHints(withHoisted(without(node, ...present), innerSchemas(node)), hints);
}

/** Keys are always texts, so { propertyNames: { type: "string" } } rules out nothing. */
function saysNothing(keyword: string, argument: unknown): boolean {
  return keyword === "propertyNames" && isObject(argument) && Object.keys(without(argument, "type")).length === 0;
}

function innerSchemas(node: JsonSchema): readonly JsonSchema[] {
  const { allOf, then, else: otherwise, if: condition, dependentSchemas } = node;
  const nested = [
    ...(Array.isArray(allOf) ? allOf : []),
    condition,
    then,
    otherwise,
    ...(isObject(dependentSchemas) ? Object.values(dependentSchemas) : []),
  ];
  return nested.filter(isObject);
}

function withHoisted(node: JsonSchema, inner: readonly JsonSchema[]): JsonSchema {
  const declared = isObject(node["properties"]) ? node["properties"] : {};
  const found = new Map<string, JsonSchema>();
  for (const schema of inner) {
    for (const [key, property] of Object.entries(isObject(schema["properties"]) ? schema["properties"] : {})) {
      if (Object.hasOwn(declared, key) || !isObject(property)) continue;
      const known = found.get(key);
      found.set(key, known === undefined ? property : eitherOf(known, property));
    }
  }
  // Where further keys are judged by additionalProperties, a name inside a condition adds nothing.
  if (found.size === 0 || Object.hasOwn(node, "additionalProperties")) return node;
  return { ...node, properties: { ...declared, ...Object.fromEntries(found) } };
}
