import { ToolError } from "../errors.ts";
import { schemaTargets } from "./provider.ts";
import { anthropicProvider } from "./anthropic.ts";
import { bedrockProvider } from "./bedrock.ts";
import { cohereProvider } from "./cohere.ts";
import { deepSeekProvider } from "./deepseek.ts";
import { geminiOpenApiProvider, geminiProvider } from "./gemini.ts";
import { genericProvider } from "./generic.ts";
import { groqProvider } from "./groq.ts";
import { mistralProvider } from "./mistral.ts";
import { ollamaProvider } from "./ollama.ts";
import { openAiChatProvider } from "./openai-chat.ts";
import { openAiResponsesProvider } from "./openai-responses.ts";
import { openRouterProvider } from "./openrouter.ts";
import type { Provider, ProviderTarget } from "./provider.ts";
import { xaiProvider } from "./xai.ts";

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
