import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { DynamicStructuredTool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
// #region imports
import { ToolMessage } from "@langchain/core/messages";
import { DynamicTool, StructuredTool, tool } from "@langchain/core/tools";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { fromLangChain, toLangChain } from "@toolrack/core/vendors";
import { createAgent } from "langchain";
import { z } from "zod";
import { call, png, registry, tools } from "./registry.ts";
// #endregion

// #region tools
export const ours = toLangChain(tools, { call });
// #endregion

// #region bundled
export const bundled = toLangChain(tools, { call, langchain: { tool, ToolMessage } });
// #endregion

export function agentOf(model: BaseChatModel) {
  // #region agent
  const agent = createAgent({ model, tools: ours, systemPrompt: "Help the guests of our hotel." });
  // #endregion
  return agent;
}

export function modelWith(model: BaseChatModel) {
  // #region bind
  const bound = model.bindTools?.(ours);
  // #endregion
  return bound;
}

// #region node
export const node = new ToolNode(ours);
// #endregion
export const react = (model: BaseChatModel) => createReactAgent({ llm: model, tools: ours });

export async function answer(id: string) {
  // #region call
  const [weather] = ours;
  const message: ToolMessage = await weather!.invoke({ type: "tool_call", id, name: weather!.name, args: { city: "Oslo" } });
  // #endregion
  return message;
}

// #region from
class Echo extends StructuredTool {
  name = "echo";
  description = "Repeats a text.";
  schema = z.object({ text: z.string().transform((text) => text.trim()) });
  protected override _call({ text }: { text: string }) {
    return Promise.resolve(text);
  }
}

const convert = tool(({ celsius }) => ({ fahrenheit: celsius * 1.8 + 32 }), {
  name: "convert",
  description: "Converts degrees Celsius to Fahrenheit.",
  schema: z.object({ celsius: z.number() }),
});
const map = tool(() => [[{ type: "image_url", image_url: { url: `data:image/png;base64,${png}` } }], { scale: 1000 }], {
  name: "map",
  description: "Shows the map of the town.",
  schema: { type: "object", properties: {} },
  responseFormat: "content_and_artifact",
});
const shout = new DynamicTool({ name: "shout", description: "Shouts a text.", func: async (text) => text.toUpperCase() });

for (const one of fromLangChain([convert, map, shout, new Echo()])) registry.register(one);
// #endregion

export const structured: DynamicStructuredTool = convert as unknown as DynamicStructuredTool;
fromLangChain([structured]);
// @ts-expect-error a function is no tool
export const wrong = () => fromLangChain([() => "clear"]);
// @ts-expect-error our own definitions are no tools of LangChain
export const wrongToo = (model: BaseChatModel) => createAgent({ model, tools });
