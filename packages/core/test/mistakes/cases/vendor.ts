import { defineTool } from "@toolrack/core";
import { exportForApi } from "@toolrack/core/array";
import { defineProvider, exportTools, readCalls } from "@toolrack/core/vendors";
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
  { title: "A provider with a misspelt field", define: () => defineProvider({ name: "acme", wires: {} }) },
];
