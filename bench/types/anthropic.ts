import type Anthropic from "@anthropic-ai/sdk";
// #region imports
import { exportDeferred, exportTools, readCalls, writeChoice, writeFoundTools, writeResults } from "@toolrack/core/vendors";
// #endregion
import { caller, registry, tools } from "./setting.ts";

declare const client: Anthropic;
declare const messages: Anthropic.MessageParam[];

// #region turn
const claude = exportTools(registry.view(caller).tools, "anthropic");
const request = { model: "claude-sonnet-5-5", max_tokens: 1_000, messages, tools: claude.tools, ...writeChoice("auto", claude) };
const reply = await client.messages.create(request);
const calls = readCalls(reply, claude);
const results = await registry.callAll(calls, { caller });
messages.push({ role: "assistant", content: reply.content }, ...writeResults(calls, results, claude));
// #endregion

export const list: Anthropic.ToolUnion[] = claude.tools;
export const full: Anthropic.ToolUnion[] = exportTools(tools, "anthropic", {
  examples: true,
  deferred: true,
  allowedCallers: ["direct"],
}).tools;
export const strict: Anthropic.Tool[] = exportTools(tools, "anthropic-strict").tools;
export const deferred: Anthropic.ToolUnion[] = exportDeferred(tools, [], "anthropic").tools;
export const choice: Anthropic.ToolChoice = writeChoice("required", "anthropic", { parallel: false }).tool_choice;

export const answered: Anthropic.MessageParam[] = writeResults(calls, results, "anthropic");
export const found: Anthropic.ToolResultBlockParam = writeFoundTools(["read"], claude, "toolu_1");

// #region stream
const events: Anthropic.MessageStreamEvent[] = [];
for await (const event of await client.messages.create({ ...request, stream: true })) events.push(event);
const streamed = readCalls(events, claude);
// #endregion
export const one: Anthropic.MessageParam[] = writeResults(streamed, results, claude);
// The message alone is a reply as well, as a conversation keeps it.
readCalls(answered[0]!, "anthropic");

// @ts-expect-error tools of Anthropic are not those of OpenAI
export const foreign: Anthropic.ToolUnion[] = exportTools(tools, "openai-chat").tools;
// @ts-expect-error nor are the messages
export const foreignAnswer: Anthropic.MessageParam[] = writeResults(calls, results, "openai-responses");
// @ts-expect-error nor the choice
export const foreignChoice: Anthropic.ToolChoice = writeChoice("required", "openai-chat").tool_choice;
// @ts-expect-error a reply of Anthropic is not one of OpenAI
readCalls(reply, "openai-chat");
// @ts-expect-error nor of its other API
readCalls(reply, "openai");
// @ts-expect-error nor of Gemini
readCalls(reply, "gemini");
// @ts-expect-error nor is a promise of it
readCalls(client.messages.create(request), "anthropic");
// @ts-expect-error OpenAI's word for who may call a tool
exportTools(tools, "anthropic", { allowedCallers: ["programmatic"] });

/** The beta of the Messages API has types of its own. */
export const betaTools: Anthropic.Beta.BetaToolUnion[] = claude.tools;
export const betaMessages: Anthropic.Beta.BetaMessageParam[] = writeResults(calls, results, claude);
const beta = await client.beta.messages.create({ model: "claude-sonnet-5-5", max_tokens: 1_000, messages: betaMessages, tools: betaTools });
readCalls(beta, claude);
