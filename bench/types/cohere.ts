import type { Cohere, CohereClientV2 } from "cohere-ai";
import { exportTools, readCalls, writeChoice, writeResults } from "@toolrack/core/vendors";
import { caller, registry, tools } from "./setting.ts";

declare const client: CohereClientV2;
declare const messages: Cohere.ChatMessageV2[];

// #region turn
const exported = exportTools(registry.view(caller).tools, "cohere");
const choice = writeChoice("required", exported, { spelling: "sdk" });
const reply = await client.chat({ model: "command-a-03-2025", messages, tools: exported.tools, ...choice });
const calls = readCalls(reply, exported);
const results = await registry.callAll(calls, { caller });
messages.push(reply.message, ...writeResults(calls, results, exported, { spelling: "sdk" }));
// #endregion

export const list: Cohere.ToolV2[] = exported.tools;
export const required: Cohere.V2ChatRequestToolChoice | undefined = writeChoice("required", "cohere", { spelling: "sdk" }).toolChoice;

const request: Cohere.V2ChatRequest = {
  model: "command",
  messages,
  tools: exported.tools,
  ...writeChoice("none", exported, { spelling: "sdk" }),
};
// The message alone is a reply as well, as a conversation keeps it.
readCalls(reply.message, "cohere");

const events: Cohere.V2ChatStreamResponse[] = [];
for await (const event of await client.chatStream(request)) events.push(event);
readCalls(events, "cohere");

// @ts-expect-error the SDK drops fields in the spelling of the API
export const misspelt: Cohere.ChatMessageV2[] = writeResults(calls, results, "cohere");
// @ts-expect-error tools of Anthropic are not those of Cohere
export const foreign: Cohere.ToolV2[] = exportTools(tools, "anthropic").tools;
// @ts-expect-error a reply of Cohere is not one of Gemini
readCalls(reply, "gemini");
