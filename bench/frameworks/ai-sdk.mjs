import { generateText, isStepCount } from "ai";
import { createScriptedModel, whatModelSaw } from "./scripted-model.mjs";

export async function converse({ core, tools, call, calls, signal }) {
  const { model, seen } = createScriptedModel(calls);
  await generateText({ model, tools: core.toAiSdk(tools, { call }), prompt: "Go.", stopWhen: isStepCount(3), abortSignal: signal });
  return whatModelSaw(seen);
}
