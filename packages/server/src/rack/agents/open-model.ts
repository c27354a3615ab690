import type { Model } from "@toolrack/agent";
import { shellWord } from "@toolrack/core/internal/shell-word";
import type { Secrets } from "@toolrack/store";
import type { AgentModelConfig, RunnableAgent } from "../../config/agents.ts";

/** The model of an agent. Its client is loaded now; its key is read before each request, so that a changed secret is used at once. */
export async function openModel({ id, model }: RunnableAgent, secrets: Pick<Secrets, "get">): Promise<Model> {
  if (typeof model === "string") return (await import("./scripted-model.ts")).createScriptedModel();
  const { name, baseUrl, secret, contextTokens } = model;
  return open(model, {
    model: name,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(secret !== undefined && { key: () => readKey(secret, id, secrets) }),
  });
}

type ModelOptions = Parameters<(typeof import("@toolrack/agent/models"))["openaiModel"]>[0];

async function open({ vendor }: AgentModelConfig, options: ModelOptions): Promise<Model> {
  const { anthropicModel, openaiModel, chatModel, geminiModel, ollamaModel } = await import("@toolrack/agent/models");
  const clients = { anthropic: anthropicModel, openai: openaiModel, "openai-chat": chatModel, gemini: geminiModel, ollama: ollamaModel };
  return clients[vendor](options);
}

async function readKey(name: string, agent: string, secrets: Pick<Secrets, "get">): Promise<string> {
  const tool = `agents.${agent}.model`;
  const value = await secrets.get({ name, tool, callId: `agent ${agent}`, caller: { agent }, reason: "the key of its model" });
  if (value !== undefined) return value;
  throw new Error(`there is no secret "${name}". Set it with: toolrack secrets set ${shellWord(name)}`);
}
