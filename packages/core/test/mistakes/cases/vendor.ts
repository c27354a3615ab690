import { defineTool } from "@toolrack/core";
import { exportForApi } from "@toolrack/core/array";
import { toolCallGrammar } from "@toolrack/core/grammar";
import { toolSection } from "@toolrack/core/prompt";
import { searchTools } from "@toolrack/core/search";
import { adaptSchema, defineProvider, exportTools, readCalls, writeChoice, writeResults } from "@toolrack/core/vendors";
import type { Mistake } from "../mistake.ts";

const weather = defineTool({ name: "weather", description: "…", inputSchema: { type: "object" }, handler: () => "sunny" });
const chatReply = {
  choices: [
    { message: { role: "assistant", tool_calls: [{ id: "1", type: "function", function: { name: "weather", arguments: "{}" } }] } },
  ],
};

export const vendor: readonly Mistake[] = [
  { title: "A vendor that does not exist", define: () => exportTools([weather], "opnai") },
  { title: "OpenAI's reply, read as Anthropic's", define: () => chatReply, call: (reply: unknown) => readCalls(reply, "anthropic") },
  {
    title: "The text of a reply, in place of the reply",
    define: () => JSON.stringify(chatReply),
    call: (reply: unknown) => readCalls(reply, "openai"),
  },
  { title: "No reply", define: () => undefined, call: (reply: unknown) => readCalls(reply, "openai") },
  {
    title: "OpenAI's declarations given to `exportForApi`",
    define: () => exportForApi([{ type: "function", function: { name: "weather", parameters: { type: "object" } } }]),
  },
  { title: "One tool in place of a list", define: () => exportTools(weather, "openai") },
  { title: "A misspelt option of `exportTools`", define: () => exportTools([weather], "openai", { strct: true }) },
  { title: "A model that is no text", define: () => exportTools([weather], "openai", { model: { name: "gpt-5" } }) },
  { title: "A misspelt option of `adaptSchema`", define: () => adaptSchema({ type: "object" }, "openai", { strikt: true }) },
  { title: "A misspelt option of `writeResults`", define: () => writeResults([], [], "mistral", { speling: "sdk" }) },
  { title: "`parallel` as a text", define: () => writeChoice("auto", "openai", { parallel: "false" }) },
  { title: "A misspelt option of `searchTools`", define: () => searchTools([weather], "rain", { limt: 3 }) },
  { title: "A search without a query", define: () => searchTools([weather], { query: "rain" }) },
  { title: "A tier that does not exist", define: () => toolSection([weather], { tier: "short" }) },
  { title: "A misspelt option of `toolCallGrammar`", define: () => toolCallGrammar([weather], { paralel: true }) },
  { title: "A provider with a misspelt field", define: () => defineProvider({ name: "acme", wires: {} }) },
];
