import { isObject } from "../util/json.ts";
import { isImpossible, type NormalPass, pointerTo, rewriteSchema, without } from "./walk.ts";

/** Where nothing else judges the same object, `unevaluatedProperties` means `additionalProperties`; likewise for items. */
export const closeUnevaluated: NormalPass = {
  pass: "unevaluated",
  needs: ["unevaluatedProperties", "unevaluatedItems"],
  run: (schema, note) =>
    rewriteSchema(schema, (node, place) => {
      if (Object.keys(node).some((keyword) => inPlace.has(keyword))) return node;
      let next = node;
      if (Object.hasOwn(next, "unevaluatedProperties")) {
        note(pointerTo(place), "unevaluatedProperties became additionalProperties");
        const { unevaluatedProperties, ...rest } = next;
        const closed = isFalse(unevaluatedProperties) ? false : unevaluatedProperties;
        next = Object.hasOwn(rest, "additionalProperties") ? rest : { ...rest, additionalProperties: closed };
      }
      if (Object.hasOwn(next, "unevaluatedItems") && !Object.hasOwn(next, "contains")) {
        note(pointerTo(place), "unevaluatedItems became items");
        const { unevaluatedItems, ...rest } = next;
        const prefix = Array.isArray(rest["prefixItems"]) ? rest["prefixItems"].length : 0;
        if (Object.hasOwn(rest, "items")) next = rest;
        else if (!isFalse(unevaluatedItems)) next = { ...rest, items: unevaluatedItems };
        else
          next = {
            ...without(rest, "maxItems"),
            maxItems: Math.min(prefix, typeof rest["maxItems"] === "number" ? rest["maxItems"] : prefix),
          };
      }
      return next;
    }),
};

const inPlace = new Set(["allOf", "anyOf", "oneOf", "not", "if", "$ref", "dependentSchemas"]);

function isFalse(schema: unknown): boolean {
  return isObject(schema) && isImpossible(schema) && Object.keys(schema).length === 1;
}
