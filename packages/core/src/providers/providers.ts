import { ToolError } from "../errors.ts";
import { schemaTargets } from "./provider.ts";
import { anthropicProvider } from "./vendors/anthropic.ts";
import { bedrockProvider } from "./vendors/bedrock.ts";
import { cohereProvider } from "./vendors/cohere.ts";
import { deepSeekProvider } from "./vendors/deepseek.ts";
import { geminiOpenApiProvider, geminiProvider } from "./vendors/gemini.ts";
import { genericProvider } from "./vendors/generic.ts";
import { groqProvider } from "./vendors/groq.ts";
import { mistralProvider } from "./vendors/mistral.ts";
import { ollamaProvider } from "./vendors/ollama.ts";
import { openAiChatProvider } from "./vendors/openai-chat.ts";
import { openAiResponsesProvider } from "./vendors/openai-responses.ts";
import { openRouterProvider } from "./vendors/openrouter.ts";
import type { Provider, ProviderTarget } from "./provider.ts";
import { xaiProvider } from "./vendors/xai.ts";

export const providerTargets: readonly ProviderTarget[] = [...schemaTargets, "openai-responses", "openai-chat"];

const providers: ReadonlyMap<ProviderTarget, Provider> = new Map<ProviderTarget, Provider>([
  ["anthropic", anthropicProvider],
  ["anthropic-strict", { ...anthropicProvider, schemaTarget: "anthropic-strict" }],
  ["openai", openAiResponsesProvider],
  ["openai-responses", openAiResponsesProvider],
  ["openai-chat", openAiChatProvider],
  ["openai-strict", { ...openAiResponsesProvider, schemaTarget: "openai-strict" }],
  ["gemini", geminiProvider],
  ["gemini-openapi", geminiOpenApiProvider],
  ["bedrock", bedrockProvider],
  ["mistral", mistralProvider],
  ["cohere", cohereProvider],
  ["groq", groqProvider],
  ["deepseek", deepSeekProvider],
  ["xai", xaiProvider],
  ["openrouter", openRouterProvider],
  ["ollama", ollamaProvider],
  ["generic", genericProvider],
]);

export function providerFor(target: ProviderTarget): Provider {
  const provider = providers.get(target);
  if (provider !== undefined) return provider;
  throw new ToolError("CONFIG_INVALID", `"${String(target)}" is no vendor. Use one of ${providerTargets.join(", ")}.`);
}
