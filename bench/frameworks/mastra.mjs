import { Agent } from "@mastra/core/agent";
import { createScriptedModel, whatModelSaw } from "./scripted-model.mjs";

export async function converse({ core, tools, call, calls, signal }) {
  const { model, seen } = createScriptedModel(calls);
  const agent = new Agent({ id: "clerk", name: "clerk", instructions: "Help.", model, tools: core.toMastra(tools, { call }) });
  await agent.generate("Go.", { maxSteps: 3, abortSignal: signal });
  return whatModelSaw(seen);
}
