import { isObject, rewriteSchema } from "@toolrack/json-schema/internal";
import { hintFor, withHints } from "../describe.ts";
import { type AdaptPass, nodePass, type NodePass, when } from "../pass.ts";
import { widenPatterns } from "../unite.ts";

/** Removes patternProperties: which key may hold which value is described in words. */
export const widenPatternProperties: AdaptPass = when(["patternProperties"], (schema, context) =>
  rewriteSchema(schema, (node, place) => {
    if (!isObject(node["patternProperties"])) return node;
    const hint = hintFor("patternProperties", node);
    context.lose(place, "patternProperties", "dropped, and noted in the description");
    return withHints(widenPatterns(node), hint === undefined ? [] : [hint]);
  }),
);

/** Declares what an object requires and does not declare, so that `required` names only properties. Conditions that only ask for a key are left alone. */
export const declareRequired: NodePass = nodePass(["required"], (node) => {
  const { required, properties, additionalProperties: rest } = node;
  if (!Array.isArray(required) || !(node["type"] === "object" || isObject(properties))) return node;
  const declared = isObject(properties) ? properties : {};
  const missing = (required as string[]).filter((key) => !Object.hasOwn(declared, key));
  if (missing.length === 0) return node;
  const added = Object.fromEntries(missing.map((key) => [key, isObject(rest) ? rest : {}]));
  return { ...node, properties: { ...declared, ...added } };
});
