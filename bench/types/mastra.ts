import type { MastraModelConfig } from "@mastra/core/llm";
// #region imports
import { Agent } from "@mastra/core/agent";
import { toMastra } from "@toolrack/core/vendors";
import { call, tools } from "./registry.ts";
// #endregion

export function createAgent(model: MastraModelConfig) {
  // #region agent
  const instructions = "Help the guests of our hotel.";
  const agent = new Agent({ id: "guide", name: "Guide", instructions, model, tools: toMastra(tools, { call }) });
  // #endregion
  return agent;
}

export const wrong = (model: MastraModelConfig) =>
  // @ts-expect-error an id is a text
  new Agent({ id: "guide", name: "Guide", instructions: "Help.", model, tools: { camera: { id: 5, description: "" } } });
