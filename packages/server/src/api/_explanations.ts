import type { Caller } from "@toolrack/core";
import type { ToolExplanation } from "@toolrack/core/policy";
import type { JsonSchema } from "@toolrack/json-schema";
import type { RouteRequest } from "../http/route.ts";
import { seesOthers } from "./shared/callers.ts";

const text = { type: "string" } as const;

const finding = {
  step: text,
  rule: text,
  label: { ...text, description: "The place in the configuration." },
  entry: { ...text, description: "The entry that decided, as it is written there." },
  source: { ...text, description: "The line of the file, or the record." },
  reason: text,
} as const;

/** Why a caller may or may not use a tool. */
export const explanationSchema: JsonSchema = {
  type: "object",
  properties: {
    name: text,
    known: { type: "boolean" },
    allowed: { type: "boolean" },
    decision: {
      type: "object",
      properties: { name: text, allowed: { type: "boolean" }, ask: { type: "object", additionalProperties: true }, ...finding },
      required: ["name", "allowed", "rule"],
      additionalProperties: false,
    },
    trace: {
      type: "array",
      items: {
        type: "object",
        properties: { outcome: { enum: ["hides", "keeps", "asks", "sets-aside"] }, remedy: text, ...finding },
        required: ["outcome", "rule", "label"],
        additionalProperties: false,
      },
    },
    checks: {
      type: "array",
      items: { type: "object", properties: { label: text, source: text, text }, required: ["label", "text"], additionalProperties: false },
    },
    sentences: { type: "array", items: text },
  },
  required: ["name", "known", "allowed", "trace", "checks", "sentences"],
  additionalProperties: false,
};

/** The registry's explanation. Whoever may not look at others is not told names that resemble an unknown one: they may be hidden. */
export function explainFor({ rack, identity }: Pick<RouteRequest, "rack" | "identity">, name: string, caller: Caller): ToolExplanation {
  const explanation = rack.registry.explain(name, caller);
  if (explanation.known || seesOthers(identity)) return explanation;
  return { ...explanation, sentences: [`No tool is named \`${name.slice(0, 140)}\` here, so no policy decides about it.`] };
}
