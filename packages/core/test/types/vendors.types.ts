import { defineProvider } from "../../src/providers/define-provider.ts";
import { chatLimits, chatWire } from "../../src/providers/format/chat.ts";
import { looseSchema } from "../../src/providers/adapt/presets.ts";
import type { Provider, ToolCall } from "../../src/providers/provider.ts";
import type { ProviderTarget, VendorTarget } from "../../src/providers/providers.ts";
import { readCalls, writeChoice, writeResults } from "../../src/providers/wire/calls.ts";
import { exportDeferred, writeFoundTools } from "../../src/providers/wire/deferred.ts";
import { exportTools } from "../../src/providers/wire/export.ts";
import type { ToolDefinition } from "../../src/tool/tool.ts";
import type { Equal, Expect } from "./expect.ts";

// That these types fit the vendors' SDKs is checked in bench/types; here, that they follow the target.

declare const tools: readonly ToolDefinition[];
declare const calls: readonly ToolCall[];
declare const named: ProviderTarget;
declare const some: "anthropic" | "bedrock";
declare const any: VendorTarget;
declare const provider: Provider;

const claude = exportTools(tools, "anthropic");
export type NamesItsTarget = Expect<Equal<typeof claude.target, "anthropic">>;
export const inputs: { type: "object" }[] = claude.tools.map((tool) => tool.input_schema);
export const specs: string[] = exportTools(tools, "bedrock").tools.map((tool) => tool.toolSpec.name);
export const framed: string[] = exportTools(tools, "gemini").tools.flatMap((tool) => tool.functionDeclarations.map(({ name }) => name));
// @ts-expect-error -- tools of another vendor have no such field
void exportTools(tools, "openai").tools.map((tool) => tool.input_schema);

export type Words = Expect<Equal<ReturnType<typeof choiceOfCohere>, "REQUIRED" | "NONE" | undefined>>;
export function choiceOfCohere() {
  return writeChoice("required", "cohere").tool_choice;
}
export const callIds: string[] = writeResults(calls, [], "openai-responses").map((item) => item.call_id);
export const ids: string[] = writeResults(calls, [], "mistral").map((message) => message.tool_call_id);
export const camelIds: string[] = writeResults(calls, [], "mistral", { spelling: "sdk" }).map((message) => message.toolCallId);
// @ts-expect-error -- the spelling of the SDK was not asked for
void writeResults(calls, [], "mistral").map((message) => message.toolCallId);

export const searched: string[] = exportDeferred(tools, [], "anthropic").tools.map(({ name }) => name);
export const found: string = writeFoundTools([], claude, "toolu_1").tool_use_id;

/** One of several targets: the target tells which. */
const exported = exportTools(tools, some);
if (exported.target === "bedrock") void exported.tools.map(({ toolSpec }) => toolSpec);
// @ts-expect-error -- not asked yet
void exported.tools.map(({ toolSpec }) => toolSpec);
for (const one of [exportTools(tools, named), exportTools(tools, any), exportTools(tools, provider)]) {
  void one.tools.map((tool): unknown => tool);
  void writeResults(readCalls({} as unknown, one), [], one).map((message): unknown => message);
}

/** A provider has the types of its wire format, if they are known. */
const rest = { limits: chatLimits, schema: looseSchema, rules: [] };
const acme = defineProvider({ name: "acme", wire: chatWire(), ...rest });
export const acmeNames: string[] = exportTools(tools, acme).tools.map((tool) => tool.function.name);
export const acmeIds: unknown[] = writeResults(calls, [], exportTools(tools, acme)).map((message) => message.role);
const own = defineProvider({ name: "own", wire: chatWire({ declare: ({ name }) => ({ name }) }), ...rest });
export type Unknown = Expect<Equal<(typeof ownTools)[number], unknown>>;
export const ownTools = exportTools(tools, own).tools;

/** What is known to be no reply does not compile; what is unknown is looked at when it is read. */
void readCalls({} as unknown, "anthropic");
void readCalls({ content: [{ type: "text", text: "Hi" }], stop_reason: "end_turn" }, "anthropic");
// @ts-expect-error -- nothing
void readCalls(undefined, "anthropic");
// @ts-expect-error -- text
void readCalls("Hi", "openai-chat");
// @ts-expect-error -- a promise of a reply
void readCalls(Promise.resolve({ content: [] }), "anthropic");
// @ts-expect-error -- a reply of another vendor
void readCalls({ choices: [{ message: {} }] }, claude);
// @ts-expect-error -- perhaps nothing
void readCalls({ content: [] } as { content: object[] } | undefined, "anthropic");
