import type OpenAI from "openai";
import type { Responses } from "openai/resources/responses/responses";
import { exportDeferred, exportTools, readCalls, writeChoice, writeFoundTools, writeResults } from "@toolrack/core/vendors";
import { caller, registry, tools } from "./setting.ts";

declare const client: OpenAI;
declare const input: Responses.ResponseInputItem[];

// #region turn
const exported = exportTools(registry.view(caller).tools, "openai-responses");
const request = { model: "gpt-5", input, tools: exported.tools, ...writeChoice("auto", exported, { parallel: true }) };
const reply = await client.responses.create(request);
const calls = readCalls(reply, exported);
const results = await registry.callAll(calls, { caller });
const answers = writeResults(calls, results, exported);
const next = await client.responses.create({ ...request, previous_response_id: reply.id, input: answers });
// #endregion

export const list: Responses.Tool[] = exported.tools;
export const full: Responses.Tool[] = exportTools(tools, "openai", {
  deferred: true,
  allowedCallers: ["programmatic"],
  outputSchemas: true,
}).tools;
export const functions: Responses.FunctionTool[] = exportTools(tools, "openai").tools;
export const strict: Responses.Tool[] = exportTools(tools, "openai-strict").tools;
export const deferred: Responses.Tool[] = exportDeferred(tools, [], "openai").tools;
export const choice: Responses.ResponseCreateParams["tool_choice"] = writeChoice({ tools: ["read"] }, "openai").tool_choice;

export const answered: Responses.ResponseInput = writeResults(calls, results, "openai");
export const found: Responses.ResponseInputItem = writeFoundTools(["read"], exported, "call_1");

const events: Responses.ResponseStreamEvent[] = [];
for await (const event of await client.responses.create({ ...request, stream: true })) events.push(event);
readCalls(events, "openai");
// The output of a response, and what is kept of it.
readCalls(next.output, "openai");
input.push(...answers);

// @ts-expect-error tools of Chat Completions are nested
export const foreign: Responses.Tool[] = exportTools(tools, "openai-chat").tools;
// @ts-expect-error Chat Completions answers with messages
export const foreignAnswer: Responses.ResponseInput = writeResults(calls, results, "anthropic");
// @ts-expect-error a response is not a completion
readCalls(reply, "openai-chat");
// @ts-expect-error nor a message of Anthropic
readCalls(reply, "anthropic");
// @ts-expect-error nothing is not a reply
readCalls(undefined, "openai");
// @ts-expect-error its text is not the reply
readCalls(reply.output_text, "openai");
