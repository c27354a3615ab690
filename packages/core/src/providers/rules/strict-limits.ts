import { isObject, rewriteSchema } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";

/** OpenAI, guide "Structured outputs", sections "Supported schemas" and "Limitations". */
export const openAiStrictLimits = {
  properties: 5_000,
  levels: 10,
  enumValues: 1_000,
  textLength: 120_000,
  longEnum: 250,
  longEnumText: 15_000,
} as const;

/** Anthropic, guide "Structured outputs", section on the complexity of schemas: all three count over the strict tools of one request. */
export const anthropicStrictLimits = { tools: 20, optional: 24, unions: 16 } as const;

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
