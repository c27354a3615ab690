import type { Mistral } from "@mistralai/mistralai";
import type { ChatCompletionRequest, CompletionEvent, Tool } from "@mistralai/mistralai/models/components";
import { exportTools, readCalls, writeChoice, writeResults } from "@toolrack/core/vendors";
import { caller, registry, tools } from "./setting.ts";

declare const client: Mistral;
declare const messages: ChatCompletionRequest["messages"];

// #region turn
const exported = exportTools(registry.view(caller).tools, "mistral");
const choice = writeChoice("auto", exported, { spelling: "sdk" });
const reply = await client.chat.complete({ model: "mistral-large-latest", messages, tools: exported.tools, ...choice });
const calls = readCalls(reply, exported);
const results = await registry.callAll(calls, { caller });
const { message } = reply.choices[0]!;
messages.push({ ...message, role: "assistant" }, ...writeResults(calls, results, exported, { spelling: "sdk" }));
// #endregion

export const list: Tool[] = exported.tools;
export const required: ChatCompletionRequest["toolChoice"] = writeChoice("required", "mistral", { spelling: "sdk" }).toolChoice;

const request: ChatCompletionRequest = {
  model: "mistral",
  messages,
  tools: exported.tools,
  ...writeChoice({ tool: "read" }, exported, { parallel: true, spelling: "sdk" }),
};
// The message alone is a reply as well, as a conversation keeps it.
readCalls(reply.choices[0]!.message!, "mistral");

const events: CompletionEvent[] = [];
for await (const event of await client.chat.stream(request)) events.push(event);
readCalls(events, "mistral");
readCalls(
  events.map(({ data }) => data),
  "mistral",
);

// The spelling of the API: what fetch sends.
export const sent: { role: "tool"; tool_call_id: string; name: string }[] = writeResults(calls, results, "mistral");

// @ts-expect-error tools of Responses are flat
export const foreign: Tool[] = exportTools(tools, "openai").tools;
// @ts-expect-error the SDK drops fields in the spelling of the API
export const misspelt: ChatCompletionRequest["toolChoice"] = writeChoice("required", "mistral").toolChoice;
// @ts-expect-error a reply of Mistral is not one of Anthropic
readCalls(reply, "anthropic");
