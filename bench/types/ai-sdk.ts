import type { LanguageModel, UIMessage } from "ai";
// #region imports
import { fromAiSdk, toAiSdk } from "@toolrack/core/vendors";
import { convertToModelMessages, generateText, isStepCount, jsonSchema, streamText, tool, ToolLoopAgent } from "ai";
import { z } from "zod";
import { call, registry, tools } from "./registry.ts";
// #endregion

export async function generate(model: LanguageModel, prompt: string, abortSignal?: AbortSignal) {
  // #region generate
  const { text } = await generateText({ model, prompt, abortSignal, tools: toAiSdk(tools, { call }), stopWhen: isStepCount(5) });
  // #endregion
  return text;
}

export async function chat(model: LanguageModel, messages: UIMessage[]) {
  // #region chat
  const ours = toAiSdk(tools, { call });
  const reply = streamText({ model, tools: ours, messages: await convertToModelMessages(messages, { tools: ours }) });
  // #endregion
  return reply;
}

export function createAgent(model: LanguageModel) {
  // #region agent
  const agent = new ToolLoopAgent({ model, instructions: "Help the guests of our hotel.", tools: toAiSdk(tools, { call }) });
  // #endregion
  return agent;
}

// #region from
const existing = {
  convert: tool({
    description: "Converts degrees Celsius to Fahrenheit.",
    inputSchema: z.object({ celsius: z.number() }),
    execute: async ({ celsius }) => ({ fahrenheit: celsius * 1.8 + 32 }),
  }),
  page: tool({
    description: "Reads a page.",
    inputSchema: jsonSchema<{ url: string }>({ type: "object", properties: { url: { type: "string" } }, required: ["url"] }),
    execute: async ({ url }, { abortSignal }) => (await fetch(url, { signal: abortSignal })).text(),
  }),
};
for (const one of fromAiSdk(existing)) registry.register(one);
// #endregion

/** The tools above are typed by what they take, and fit together. */
export const all = { ...existing, ...toAiSdk(tools, { call }) };
export const mixed = (model: LanguageModel) => generateText({ model, prompt: "Go.", tools: all });

// @ts-expect-error a list is no set of tools by name
export const wrong = (model: LanguageModel) => generateText({ model, prompt: "Go.", tools: tools });
// @ts-expect-error the tools of another form
export const wrongToo = () => fromAiSdk([existing.convert]);
