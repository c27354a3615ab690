// #region imports
import { fromOpenAITools } from "@toolrack/core/vendors";
import type OpenAI from "openai";
import { registry } from "./registry.ts";
// #endregion

// #region chat
const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: "function",
    function: {
      name: "get_weather",
      description: "Tells the weather in a city.",
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  },
];

const implementations = {
  get_weather: async ({ city }: { city: string }) => ({ city, sky: "clear" }),
};

for (const tool of fromOpenAITools(tools, implementations)) registry.register(tool);
// #endregion

const responses: OpenAI.Responses.Tool[] = [{ type: "function", name: "get_time", parameters: null, strict: false }];
for (const tool of fromOpenAITools(responses, { get_time: () => "noon" })) registry.register(tool);
// #region literal
const pages = fromOpenAITools(
  [{ type: "function", name: "read_page", parameters: { type: "object", properties: { url: { type: "string" } } } }],
  {
    read_page: async ({ url }, { signal }) => (await fetch(url, { signal })).text(),
  },
);
// #endregion
for (const tool of pages) registry.register(tool);

// @ts-expect-error an implementation is a function
export const wrong = () => fromOpenAITools(tools, { get_weather: "clear" });
