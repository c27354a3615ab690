import type { ChatRequest, ChatResponse, Message, Ollama, Tool } from "ollama";
import { exportTools, readCalls, writeChoice, writeResults } from "@toolrack/core/vendors";
import { caller, registry, tools } from "./setting.ts";

declare const client: Ollama;
declare const messages: Message[];

// #region turn
const exported = exportTools(registry.view(caller).tools, "ollama");
const reply = await client.chat({ model: "qwen3", messages, tools: exported.tools });
const calls = readCalls(reply, exported);
const results = await registry.callAll(calls, { caller });
messages.push(reply.message, ...writeResults(calls, results, exported));
// #endregion

export const list: Tool[] = exported.tools;
export const request: ChatRequest = { model: "llama", messages, tools: exported.tools, ...writeChoice("auto", exported) };
// The message alone is a reply as well, as a conversation keeps it.
readCalls(reply.message, "ollama");

const chunks: ChatResponse[] = [];
for await (const chunk of await client.chat({ ...request, stream: true })) chunks.push(chunk);
readCalls(chunks, "ollama");

// @ts-expect-error tools of Gemini are framed
export const foreign: Tool[] = exportTools(tools, "gemini").tools;
// @ts-expect-error a result of Responses is not a message
export const foreignAnswer: Message[] = writeResults(calls, results, "openai");
// @ts-expect-error a reply of Ollama is not one of Responses
readCalls(reply, "openai");
