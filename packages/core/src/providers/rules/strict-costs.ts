import { isObject, rewriteSchema } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";

/** What a schema takes from the budget that all strict tools of a request share. */
export function strictCosts(schema: JsonSchema): { readonly optional: number; readonly unions: number } {
  let [optional, unions] = [0, 0];
  rewriteSchema(schema, (node) => {
    const required = Array.isArray(node["required"]) ? (node["required"] as string[]) : [];
    optional += Object.keys(isObject(node["properties"]) ? node["properties"] : {}).filter((key) => !required.includes(key)).length;
    if (Array.isArray(node["anyOf"]) || Array.isArray(node["type"])) unions++;
    return node;
  });
  return { optional, unions };
}
