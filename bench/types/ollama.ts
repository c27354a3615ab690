import type { ChatRequest, ChatResponse, Message, Ollama, Tool } from "ollama";
import { exportTools, readCalls, writeChoice, writeResults } from "@toolrack/core/vendors";
import { results, tools } from "./setting.ts";

declare const client: Ollama;
declare const messages: Message[];

const exported = exportTools(tools, "ollama");
export const list: Tool[] = exported.tools;

const request: ChatRequest = { model: "llama", messages, tools: exported.tools, ...writeChoice("auto", exported) };
const reply = await client.chat({ ...request, stream: false });
const calls = readCalls(reply, exported);
messages.push(reply.message, ...writeResults(calls, results, exported));
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
