import type Anthropic from "@anthropic-ai/sdk";
import type OpenAI from "openai";
import {
  chatLimits,
  chatRules,
  chatWire,
  defineProvider,
  exportTools,
  looseSchema,
  type Provider,
  type ProviderTarget,
  readCalls,
  type VendorTarget,
  writeChoice,
  writeResults,
} from "@toolrack/core/vendors";
import { results, tools } from "./setting.ts";

declare const target: ProviderTarget;
declare const either: "anthropic" | "openai-chat";
declare const anything: VendorTarget;
declare const provider: Provider;
declare const json: unknown;
export let claudeTools: Anthropic.ToolUnion[] = [];
export let chatTools: OpenAI.Chat.ChatCompletionTool[] = [];

/** A vendor that is known only at run time: what it gives is known as soon as the program has asked which it is. */
// #region either
const exported = exportTools(tools, either); // "anthropic" | "openai-chat"
if (exported.target === "anthropic") claudeTools = exported.tools;
else chatTools = exported.tools;
// #endregion
// @ts-expect-error it may be the other one
export const unasked: Anthropic.ToolUnion[] = exported.tools;

for (const one of [exportTools(tools, target), exportTools(tools, anything), exportTools(tools, provider)]) {
  const calls = readCalls(json, one);
  const sent: unknown[] = [...one.tools, ...writeResults(calls, results, one), { ...writeChoice("auto", one) }];
  sent.push(one.tools.map((tool) => tool).length);
}

/** A vendor over the Chat format has its types. */
const acme = defineProvider({ name: "acme", wire: chatWire(), limits: chatLimits, schema: looseSchema, rules: chatRules });
export const acmeTools: OpenAI.Chat.ChatCompletionTool[] = exportTools(tools, acme).tools;
export const acmeMessages: OpenAI.Chat.ChatCompletionMessageParam[] = writeResults([], [], acme);
export const acmeChoice: OpenAI.Chat.ChatCompletionToolChoiceOption = writeChoice("auto", acme).tool_choice;
// @ts-expect-error and no other's
export const notClaude: Anthropic.ToolUnion[] = exportTools(tools, acme).tools;

/** A format of one's own: nothing is known of it. */
const own = defineProvider({
  name: "own",
  wire: { declare: (tool) => tool.name, readCalls: () => [], writeResults: () => [], writeChoice: () => ({}) },
  limits: chatLimits,
  schema: looseSchema,
  rules: chatRules,
});
export const ownTools: unknown[] = exportTools(tools, own).tools;
// @ts-expect-error so it is nobody's
export const nobodys: Anthropic.ToolUnion[] = exportTools(tools, own).tools;
