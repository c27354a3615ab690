import { isObject, rewriteSchema, without } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { hintFor, withHints } from "../describe.ts";
import { type AdaptPass, nodePass, type NodePass, when } from "../pass.ts";
import { typesOf } from "../types.ts";
import { eitherOf } from "../unite.ts";

/** { prefixItems: [A, B], items: C } → { items: A or B or C }; the order is described in words. */
export const widenTuples: AdaptPass = when(["prefixItems"], (schema, context) =>
  rewriteSchema(schema, (node, place) => {
    const { prefixItems, items, maxItems } = node;
    if (!Array.isArray(prefixItems)) return node;
    const hint = hintFor("prefixItems", node);
    context.lose(place, "prefixItems", hint === undefined ? "dropped" : "dropped, and noted in the description");
    const parts = [...(prefixItems as JsonSchema[])];
    if (!(typeof maxItems === "number" && maxItems <= parts.length)) parts.push(isObject(items) ? items : {});
    return withHints({ ...without(node, "prefixItems"), items: parts.reduce(eitherOf) }, hint === undefined ? [] : [hint]);
  }),
);

/** Adds `items` to every array that has none; `{}` accepts anything. */
export const declareItems: NodePass = nodePass(undefined, (node) => {
  if (Object.hasOwn(node, "items") || !hasOwnType(node, "array")) return node;
  return { ...node, items: {} };
});

function hasOwnType(node: JsonSchema, type: string): boolean {
  return Object.hasOwn(node, "type") && typesOf(node)!.includes(type);
}
