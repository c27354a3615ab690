// Tools in other frameworks. Every call still goes through the registry.
import assert from "node:assert/strict";
import { createRegistry, defineTool, type InvokeOptions, ToolError } from "@toolrack/core";
import { toAiSdk, toLangChain, toMastra, toOpenAIAgents } from "@toolrack/core/vendors";

const weather = defineTool({
  name: "weather.today",
  description: "Tells today's weather in a city.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  handler: ({ city }) => ({ city, sky: "clear" }),
});
// #region registry
const registry = createRegistry();
registry.register(weather);
const caller = { agent: "guide" };
const { tools } = registry.view(caller);
const call = (name: string, input: unknown, options: InvokeOptions) => registry.invoke(name, input, { ...options, caller });
// #endregion

// #region frameworks
const forAiSdk = toAiSdk(tools, { call }); // generateText({ model, tools: forAiSdk, … })
const forLangChain = toLangChain(tools, { call }); // model.bindTools(forLangChain)
const forOpenAIAgents = toOpenAIAgents(tools, { call }); // new Agent({ tools: forOpenAIAgents, … })
const forMastra = toMastra(tools, { call }); // new Agent({ tools: forMastra, … })
// #endregion

const [name] = Object.keys(forAiSdk) as [string];
console.log(name);
console.log("AI SDK       ", await forAiSdk[name]?.execute({ city: "Oslo" }, { toolCallId: "call_1" }));
console.log("LangChain    ", await forLangChain[0]?.invoke({ city: "Oslo" }));
console.log("OpenAI Agents", await forOpenAIAgents[0]?.invoke(undefined, '{"city":"Oslo"}'));
console.log("Mastra       ", await forMastra[name]?.execute({ city: "Oslo" }));

// Failures are reported in the way that each framework expects: thrown, or as text.
await assert.rejects(async () => forAiSdk[name]?.execute({}), ToolError.is);
assert.match((await forOpenAIAgents[0]?.invoke(undefined, "{}"))!, /^Error: The input of "weather.today" is not valid/);
