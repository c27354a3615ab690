import { type Model, Runner } from "@openai/agents";
// #region imports
import { Agent } from "@openai/agents";
import { toOpenAIAgents } from "@toolrack/core/vendors";
import { call, tools } from "./registry.ts";
// #endregion

// #region agent
export const agent = new Agent({ name: "guide", instructions: "Help the guests of our hotel.", tools: toOpenAIAgents(tools, { call }) });
// #endregion

export function answer(model: Model, prompt: string, signal?: AbortSignal) {
  return new Runner({ model, tracingDisabled: true }).run(agent, prompt, { signal });
}

// @ts-expect-error our own definitions are no tools of the SDK
export const wrong = new Agent({ name: "guide", tools });
