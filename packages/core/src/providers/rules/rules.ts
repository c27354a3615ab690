import { pointerTo, rewriteSchema } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import type { SchemaTarget } from "../provider.ts";
import { anthropicRules } from "./anthropic.ts";
import { anthropicStrictRules } from "./anthropic-strict.ts";
import { bedrockRules } from "./bedrock.ts";
import { cohereRules } from "./cohere.ts";
import { deepSeekRules } from "./deepseek.ts";
import { geminiRules } from "./gemini.ts";
import { geminiOpenApiRules } from "./gemini-openapi.ts";
import { genericRules } from "./generic.ts";
import { groqRules } from "./groq.ts";
import { mistralRules } from "./mistral.ts";
import { ollamaRules } from "./ollama.ts";
import { openAiRules } from "./openai.ts";
import { openAiStrictRules } from "./openai-strict.ts";
import { openRouterRules } from "./openrouter.ts";
import type { NodeRule, VendorRule, Violation } from "./rule.ts";
import { xaiRules } from "./xai.ts";

const rules: Readonly<Record<SchemaTarget, readonly VendorRule[]>> = {
  anthropic: anthropicRules,
  "anthropic-strict": anthropicStrictRules,
  openai: openAiRules,
  "openai-strict": openAiStrictRules,
  gemini: geminiRules,
  "gemini-openapi": geminiOpenApiRules,
  bedrock: bedrockRules,
  mistral: mistralRules,
  cohere: cohereRules,
  groq: groqRules,
  deepseek: deepSeekRules,
  xai: xaiRules,
  openrouter: openRouterRules,
  ollama: ollamaRules,
  generic: genericRules,
};

/** What a vendor would refuse in a schema, by its documented rules and the errors it is known to answer. Empty means accepted. */
export function checkVendorSchema(schema: JsonSchema, target: SchemaTarget): readonly Violation[] {
  const violations: Violation[] = [];
  const nodeRules: NodeRule[] = [];
  for (const rule of rules[target]) {
    if ("node" in rule) nodeRules.push(rule);
    else rule.whole(schema, (path, keyword, message) => violations.push({ path, keyword, message }));
  }
  // The pointer to a place is written only when there is something to report.
  rewriteSchema(schema, (node, place) => {
    const report = (keyword: string, message: string): void => void violations.push({ path: pointerTo(place), keyword, message });
    for (const rule of nodeRules) rule.node(node, report, schema);
    return node;
  });
  return violations;
}
