import { type Place, rewriteSchema } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { type AdaptContext, type AdaptPass, nodePass, type NodePass, when } from "../pass.ts";
import { splitType, telling, typesOf } from "../types.ts";

/** Gives every schema that constrains something a type: from its listed values, or from the keywords it uses. */
export const declareTypes: NodePass = nodePass(undefined, (node, place, context) => declareType(node, place, context));

function declareType(node: JsonSchema, place: Place | undefined, context: AdaptContext): JsonSchema {
  if (Object.hasOwn(node, "type") || Object.hasOwn(node, "anyOf") || Object.hasOwn(node, "$ref")) return node;
  if (Array.isArray(node["enum"])) {
    const types = typesOf(node)!;
    return { ...node, type: types.length === 1 ? types[0] : types };
  }
  const type = telling.find(([, keywords]) => keywords.some((keyword) => Object.hasOwn(node, keyword)))?.[0];
  if (type === undefined) return node;
  context.lose(place, "type", `no type is given: taken for ${type}`);
  return { ...node, type };
}

/** { type: ["object", "string"], … } → { anyOf: [{ type: "object", … }, { type: "string", … }] }: lists and objects stand on a node of their own. */
export const splitTypes: AdaptPass = when(["type[]"], (schema) =>
  rewriteSchema(schema, (node) => splitType(node, (types) => types.includes("object") || types.includes("array"))),
);
