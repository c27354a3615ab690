import { createRegistry, defineTool } from "@toolrack/core";
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

/** What the first call of a reply is answered with. */
async function answerOf(reply: unknown, target: "anthropic" | "openai-chat"): Promise<unknown> {
  const registry = createRegistry();
  registry.register(weather);
  return (await registry.callAll(readCalls(reply, target)))[0];
}

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
    title: "A stream that was cut after the name of a tool",
    define: () => [{ choices: [{ delta: { tool_calls: [{ index: 0, id: "1", function: { name: "weather", arguments: "" } }] } }] }],
    call: (chunks: object[]) => answerOf(chunks, "openai-chat"),
  },
  {
    title: "A message that ended at the token limit",
    define: () => ({ role: "assistant", stop_reason: "max_tokens", content: [{ type: "tool_use", id: "1", name: "weather", input: {} }] }),
    call: (reply: unknown) => answerOf(reply, "anthropic"),
  },
  {
    title: "A response that failed, read for its calls",
    define: () => ({ status: "failed", error: { code: "server_error", message: "It broke." }, output: [] }),
    call: (reply: unknown) => readCalls(reply, "openai"),
  },
  {
    title: "A response that is still in progress",
    define: () => ({ status: "in_progress", output: [] }),
    call: (reply: unknown) => readCalls(reply, "openai"),
  },
  {
    title: "A blocked prompt",
    define: () => ({ promptFeedback: { blockReason: "SAFETY" } }),
    call: (reply: unknown) => readCalls(reply, "gemini"),
  },
  {
    title: "A result of the AI SDK, read as a completion",
    define: () => ({ text: "", toolCalls: [{ toolCallId: "1", toolName: "weather", input: {} }] }),
    call: (reply: unknown) => readCalls(reply, "openai-chat"),
  },
  {
    title: "The content of a message, in place of the message",
    define: () => [{ type: "tool_use", id: "1", name: "weather", input: {} }],
    call: (content: unknown) => readCalls(content, "anthropic"),
  },
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
  { title: "A deferred tool that is not there", define: () => exportTools([weather], "anthropic", { deferred: ["wether"] }) },
  { title: "A choice of a tool that was not exported", define: () => writeChoice({ tool: "wether" }, exportTools([weather], "openai")) },
  {
    title: "A choice among tools of which one was not exported",
    define: () => writeChoice({ tools: ["weather", "wind"] }, exportTools([weather], "openai")),
  },
];
