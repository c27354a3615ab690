import type OpenAI from "openai";
import { exportTools, readCalls, writeChoice, writeResults } from "@toolrack/core/vendors";
import { caller, registry, tools } from "./setting.ts";

type Chat = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;
declare const client: OpenAI;
declare const messages: OpenAI.Chat.ChatCompletionMessageParam[];

// #region turn
const exported = exportTools(registry.view(caller).tools, "openai-chat", { strict: true });
const request = { model: "gpt-5", messages, tools: exported.tools, ...writeChoice("auto", exported) };
const reply = await client.chat.completions.create(request);
const calls = readCalls(reply, exported);
const results = await registry.callAll(calls, { caller });
messages.push(reply.choices[0]!.message, ...writeResults(calls, results, exported));
// #endregion

export const list: OpenAI.Chat.ChatCompletionTool[] = exported.tools;
export const named: Chat = { model: "m", messages, ...writeChoice({ tool: "read" }, exported, { parallel: false }) };
export const choice: OpenAI.Chat.ChatCompletionToolChoiceOption = writeChoice({ tools: ["read"] }, "openai-chat").tool_choice;

// The message alone is a reply as well, as a conversation keeps it.
readCalls(reply.choices[0]!.message, "openai-chat");

const chunks: OpenAI.Chat.ChatCompletionChunk[] = [];
for await (const chunk of await client.chat.completions.create({ ...request, stream: true })) chunks.push(chunk);
readCalls(chunks, "openai-chat");

/** Vendors whose users take OpenAI's SDK with another address. */
export const deepSeek: Chat = { model: "m", messages, tools: exportTools(tools, "deepseek").tools, ...writeChoice("none", "deepseek") };
export const groq: Chat = { model: "m", messages, tools: exportTools(tools, "groq").tools, ...writeChoice("auto", "groq") };
export const xai: Chat = { model: "m", messages, tools: exportTools(tools, "xai").tools, ...writeChoice("required", "xai") };
export const openRouter: Chat = {
  model: "m",
  messages: writeResults(calls, results, "openrouter"),
  tools: exportTools(tools, "openrouter").tools,
};
for (const target of ["deepseek", "groq", "xai", "openrouter"] as const) readCalls(reply, target);

// @ts-expect-error tools of Responses are flat
export const foreign: OpenAI.Chat.ChatCompletionTool[] = exportTools(tools, "openai").tools;
// @ts-expect-error Gemini wraps its declarations
export const framed: OpenAI.Chat.ChatCompletionTool[] = exportTools(tools, "gemini").tools;
// @ts-expect-error results of Responses are items, not messages
export const foreignAnswer: OpenAI.Chat.ChatCompletionMessageParam[] = writeResults(calls, results, "openai");
// @ts-expect-error a completion is not a response
readCalls(reply, "openai");
// @ts-expect-error nor a reply of Bedrock
readCalls(reply, "bedrock");
