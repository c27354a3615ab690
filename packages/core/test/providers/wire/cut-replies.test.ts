import { describe, expect, it } from "vitest";
import { ToolError } from "../../../src/errors.ts";
import type { ToolCall } from "../../../src/providers/provider.ts";
import type { ProviderTarget } from "../../../src/providers/providers.ts";
import { readCalls } from "../../../src/providers/wire/calls.ts";
import { createRegistry } from "../../../src/registry/create.ts";
import type { Registry } from "../../../src/registry/registry.ts";
import { defineTool } from "../../../src/tool/tool.ts";
import { replyFixtures } from "./replies.ts";

interface Case {
  readonly title: string;
  readonly target: ProviderTarget;
  readonly reply: unknown;
}

const name = "delete_orders";

const chunk = (delta: object, finish_reason: string | null = null): object => ({ choices: [{ index: 0, delta, finish_reason }] });
const begun = chunk({ tool_calls: [{ index: 0, id: "1", function: { name, arguments: "" } }] });
const completion = (finish_reason: string, args: unknown): object => ({
  object: "chat.completion",
  choices: [
    { finish_reason, message: { role: "assistant", tool_calls: [{ id: "1", type: "function", function: { name, arguments: args } }] } },
  ],
});

const messageStart = { type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [] } };
const blockStart = (index: number): object => ({
  type: "content_block_start",
  index,
  content_block: { type: "tool_use", id: `toolu_${index}`, name, input: {} },
});
const blockStop = (index: number): object => ({ type: "content_block_stop", index });
const stopped = (stop_reason: string): object[] => [{ type: "message_delta", delta: { stop_reason } }, { type: "message_stop" }];
const message = (stop_reason: string, ...inputs: object[]): object => ({
  type: "message",
  role: "assistant",
  stop_reason,
  content: inputs.map((input, index) => ({ type: "tool_use", id: `toolu_${index}`, name, input })),
});

const item = { type: "function_call", call_id: "1", name, arguments: "" };
const incomplete = { object: "response", status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
const itemAdded = { type: "response.output_item.added", output_index: 0, item };

const bedrockStart = { contentBlockStart: { contentBlockIndex: 0, start: { toolUse: { toolUseId: "1", name } } } };
const converse = (stopReason: string, input: object): object => ({
  stopReason,
  output: { message: { role: "assistant", content: [{ toolUse: { toolUseId: "1", name, input } }] } },
});

const cohereStart = {
  type: "tool-call-start",
  index: 0,
  delta: { message: { tool_calls: { id: "1", type: "function", function: { name, arguments: "" } } } },
};

describe("a reply that stops after the name of a tool gives a call that cannot be run:", () => {
  const cases: readonly Case[] = [
    { title: "a stream of chunks at the token limit", target: "openai-chat", reply: [begun, chunk({}, "length")] },
    { title: "a stream of chunks that a filter stopped", target: "openai-chat", reply: [begun, chunk({}, "content_filter")] },
    { title: "a stream of chunks without an end", target: "openai-chat", reply: [begun] },
    {
      title: "a stream of Mistral's SDK at the limit of the model",
      target: "mistral",
      reply: [
        { data: { choices: [{ delta: { toolCalls: [{ id: "1", index: 0, function: { name, arguments: "" } }] } }] } },
        { data: { choices: [{ delta: {}, finishReason: "model_length" }] } },
      ],
    },
    { title: "a completion at the token limit", target: "openai-chat", reply: completion("length", "") },
    { title: "a completion at the token limit, without arguments", target: "groq", reply: completion("length", undefined) },
    { title: "a completion with a part of the arguments", target: "openai-chat", reply: completion("length", '{"customer":"ac') },
    { title: "a stream of events without an end", target: "anthropic", reply: [messageStart, blockStart(0)] },
    {
      title: "a stream of events at the token limit",
      target: "anthropic",
      reply: [messageStart, blockStart(0), blockStop(0), ...stopped("max_tokens")],
    },
    { title: "a message at the token limit", target: "anthropic", reply: message("max_tokens", {}) },
    {
      title: "a message at the token limit, with a part of the input",
      target: "anthropic",
      reply: message("max_tokens", { customer: "ac" }),
    },
    { title: "a message at the end of the context window", target: "anthropic", reply: message("model_context_window_exceeded", {}) },
    { title: "a stream of a response without an end", target: "openai-responses", reply: [{ type: "response.created" }, itemAdded] },
    {
      title: "a stream of a response at the token limit",
      target: "openai-responses",
      reply: [itemAdded, { type: "response.incomplete", response: { ...incomplete, output: [{ ...item, status: "incomplete" }] } }],
    },
    {
      title: "a stream of a response with an item that is done and incomplete",
      target: "openai-responses",
      reply: [itemAdded, { type: "response.output_item.done", output_index: 0, item: { ...item, status: "incomplete" } }],
    },
    {
      title: "a response at the token limit",
      target: "openai-responses",
      reply: { ...incomplete, output: [{ ...item, status: "incomplete" }] },
    },
    { title: "a response at the token limit, without the state of the item", target: "openai", reply: { ...incomplete, output: [item] } },
    {
      title: "a stream of Gemini with a call that would continue",
      target: "gemini",
      reply: [{ candidates: [{ content: { parts: [{ functionCall: { name, willContinue: true } }] } }] }],
    },
    {
      title: "a response of Gemini at the token limit",
      target: "gemini",
      reply: { candidates: [{ finishReason: "MAX_TOKENS", content: { parts: [{ functionCall: { name } }] } }] },
    },
    { title: "a stream of Converse without an end", target: "bedrock", reply: [{ messageStart: { role: "assistant" } }, bedrockStart] },
    {
      title: "a stream of Converse at the token limit",
      target: "bedrock",
      reply: [bedrockStart, { contentBlockStop: { contentBlockIndex: 0 } }, { messageStop: { stopReason: "max_tokens" } }],
    },
    { title: "an answer of Converse at the token limit", target: "bedrock", reply: converse("max_tokens", {}) },
    { title: "a stream of Cohere without an end", target: "cohere", reply: [cohereStart] },
    {
      title: "a stream of Cohere at the token limit",
      target: "cohere",
      reply: [cohereStart, { type: "message-end", delta: { finish_reason: "MAX_TOKENS" } }],
    },
    {
      title: "a response of Cohere at the token limit",
      target: "cohere",
      reply: {
        finish_reason: "MAX_TOKENS",
        message: { role: "assistant", tool_calls: [{ id: "1", type: "function", function: { name, arguments: "" } }] },
      },
    },
    {
      title: "a stream of Ollama without an end",
      target: "ollama",
      reply: [{ model: "m", done: false, message: { role: "assistant", tool_calls: [{ function: { name } }] } }],
    },
  ];

  it.each(cases)("$title ($target)", ({ target, reply }) => {
    const calls = readCalls(reply, target);
    expect(calls).toMatchObject([{ name, error: { code: "INPUT_INVALID" } }]);
    expect(calls[0]!.error!.message).toMatch(/^Tool "delete_orders": The arguments are incomplete: .* (?:Ask|Send|Raise) .*\.$/);
  });
});

describe("a call that was cut off", () => {
  const reply = message("max_tokens", { customer: "ac" });

  function registryOf(ran: unknown[]): Registry {
    const registry = createRegistry({ repairInputs: true });
    const inputSchema = { type: "object", properties: { customer: { type: "string" } } } as const;
    registry.register(defineTool({ name, description: "Deletes.", inputSchema, handler: (input) => void ran.push(input) }));
    return registry;
  }

  it("is answered by callAll with its error, and not run", async () => {
    const ran: unknown[] = [];
    const calls = readCalls(reply as unknown, "anthropic");
    const results = await registryOf(ran).callAll(calls);
    expect(results).toMatchObject([{ ok: false, code: "INPUT_INVALID", status: 400, error: calls[0]!.error!.message }]);
    expect(ran).toEqual([]);
  });

  it("has no input that invoke would accept, also where inputs are repaired", async () => {
    for (const cut of [reply, message("max_tokens", {}), completion("length", ""), [begun]]) {
      const ran: unknown[] = [];
      const [call] = readCalls(cut as unknown, "choices" in cut || Array.isArray(cut) ? "openai-chat" : "anthropic");
      expect(await registryOf(ran).invoke(call!.name, call!.input)).toMatchObject({ ok: false, code: "INPUT_INVALID" });
      expect(ran).toEqual([]);
    }
  });
});

describe("a call that is whole stays good in a reply that was cut:", () => {
  const good = (calls: readonly ToolCall[]): readonly unknown[] =>
    calls.filter(({ error }) => error === undefined).map(({ input }) => input);

  it.each(replyFixtures.filter(({ streamed }) => streamed !== undefined))(
    "$target, at every point of the stream",
    ({ target, streamed }) => {
      let most = 0;
      for (let length = 0; length <= streamed!.length; length++) {
        const read = good(readCalls(streamed!.slice(0, length), target));
        expect(read.length).toBeGreaterThanOrEqual(most);
        most = read.length;
        expect(read).toEqual([{ city: "Berlin" }, { path: "a" }].slice(0, most));
      }
      expect(most).toBe(2);
    },
  );

  const cases: readonly (Case & { readonly good: readonly unknown[] })[] = [
    {
      title: "arguments that are all there",
      target: "openai-chat",
      reply: completion("length", '{"customer":"acme"}'),
      good: [{ customer: "acme" }],
    },
    {
      title: "a block before the one that was cut",
      target: "anthropic",
      reply: message("max_tokens", { a: 1 }, { b: 2 }),
      good: [{ a: 1 }],
    },
    {
      title: "a block without input before the one that was cut",
      target: "anthropic",
      reply: [messageStart, blockStart(0), blockStop(0), blockStart(1), blockStop(1), ...stopped("max_tokens")],
      good: [{}],
    },
    {
      title: "a block without input that ended before the stream did",
      target: "anthropic",
      reply: [messageStart, blockStart(0), blockStop(0)],
      good: [{}],
    },
    {
      title: "an item that is completed",
      target: "openai-responses",
      reply: { ...incomplete, output: [{ ...item, status: "completed" }] },
      good: [{}],
    },
    {
      title: "an item whose arguments are done",
      target: "openai-responses",
      reply: [itemAdded, { type: "response.function_call_arguments.done", output_index: 0, arguments: "{}" }],
      good: [{}],
    },
    { title: "a call of Cohere that has ended", target: "cohere", reply: [cohereStart, { type: "tool-call-end", index: 0 }], good: [{}] },
  ];

  it.each(cases)("$title ($target)", ({ target, reply, good: expected }) => {
    expect(good(readCalls(reply, target))).toEqual(expected);
  });
});

describe("a whole reply with empty arguments calls a tool without parameters:", () => {
  const cases: readonly Case[] = [
    { title: "a completion", target: "openai-chat", reply: completion("tool_calls", "") },
    { title: "a completion with another word for its end", target: "xai", reply: completion("stop", undefined) },
    { title: "a stream of chunks", target: "openai-chat", reply: [begun, chunk({}, "tool_calls")] },
    { title: "a message", target: "anthropic", reply: message("tool_use", {}) },
    { title: "a stream of events", target: "anthropic", reply: [messageStart, blockStart(0), blockStop(0), ...stopped("tool_use")] },
    { title: "a response", target: "openai-responses", reply: { status: "completed", output: [item] } },
    { title: "a response of Gemini", target: "gemini", reply: { candidates: [{ content: { parts: [{ functionCall: { name } }] } }] } },
    { title: "an answer of Converse", target: "bedrock", reply: converse("tool_use", {}) },
    { title: "a stream of Cohere", target: "cohere", reply: [cohereStart, { type: "message-end", delta: { finish_reason: "TOOL_CALL" } }] },
  ];

  it.each(cases)("$title ($target)", ({ target, reply }) => {
    expect(readCalls(reply, target)).toMatchObject([{ name, input: {} }]);
    expect(readCalls(reply, target)[0]!.error).toBeUndefined();
  });
});

describe("a vendor that did not answer is REPLY_INVALID, with its reason:", () => {
  const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
  const upstream = { message: "upstream died", code: 502 };
  const cases: readonly (Case & { readonly reason: string })[] = [
    { title: "an error in place of a completion", target: "openai-chat", reply: { error: upstream }, reason: "upstream died" },
    {
      title: "an error in a stream of chunks",
      target: "openai-chat",
      reply: [begun, { error: upstream }],
      reason: '"upstream died" (502)',
    },
    {
      title: "an error of a choice",
      target: "openrouter",
      reply: { choices: [{ finish_reason: "error", error: upstream, message: { role: "assistant", content: "" } }] },
      reason: "upstream died",
    },
    { title: "an error as the end of a completion", target: "mistral", reply: completion("error", ""), reason: 'finish_reason "error"' },
    { title: "an error as a text", target: "ollama", reply: { error: "model not found" }, reason: "model not found" },
    { title: "an error in place of a message", target: "anthropic", reply: overloaded, reason: '"Overloaded" (overloaded_error)' },
    {
      title: "an error in a stream of events",
      target: "anthropic",
      reply: [messageStart, blockStart(0), overloaded],
      reason: "Overloaded",
    },
    {
      title: "a response that failed",
      target: "openai-responses",
      reply: { object: "response", status: "failed", error: { code: "server_error", message: "It broke." }, output: [] },
      reason: '"It broke." (server_error)',
    },
    {
      title: "a stream of a response that failed",
      target: "openai",
      reply: [
        itemAdded,
        { type: "response.failed", response: { status: "failed", error: { code: "server_error", message: "It broke." } } },
      ],
      reason: "It broke.",
    },
    {
      title: "a stream with an error",
      target: "openai",
      reply: [itemAdded, { type: "error", code: "x", message: "Too fast." }],
      reason: "Too fast.",
    },
    { title: "a response that was cancelled", target: "openai", reply: { status: "cancelled", output: [] }, reason: '"cancelled"' },
    { title: "a response that has only begun", target: "openai", reply: { status: "in_progress", output: [] }, reason: '"in_progress"' },
    { title: "a response that waits", target: "openai", reply: { status: "queued", output: [] }, reason: '"queued"' },
    {
      title: "a prompt that was blocked",
      target: "gemini",
      reply: { promptFeedback: { blockReason: "SAFETY", blockReasonMessage: "No." } },
      reason: "SAFETY",
    },
    {
      title: "a malformed call",
      target: "gemini",
      reply: { candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL" }] },
      reason: "MALFORMED_FUNCTION_CALL",
    },
    {
      title: "a malformed call at the end of a stream",
      target: "gemini-openapi",
      reply: [
        { candidates: [{ content: { parts: [{ text: "Hi" }] } }] },
        { candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: "print(x)" }] },
      ],
      reason: "print(x)",
    },
    {
      title: "a candidate without content",
      target: "gemini",
      reply: { candidates: [{ finishReason: "RECITATION" }] },
      reason: "RECITATION",
    },
    {
      title: "an exception in a stream of Converse",
      target: "bedrock",
      reply: [bedrockStart, { modelStreamErrorException: { message: "Model died." } }],
      reason: "Model died.",
    },
    {
      title: "a malformed call of Converse",
      target: "bedrock",
      reply: { ...converse("malformed_tool_use", {}) },
      reason: "malformed_tool_use",
    },
    {
      title: "a generation of Cohere that failed",
      target: "cohere",
      reply: { finish_reason: "ERROR", message: { role: "assistant", content: [] } },
      reason: "ERROR",
    },
    {
      title: "a stream of Cohere that failed",
      target: "cohere",
      reply: [cohereStart, { type: "message-end", delta: { error: "no capacity", finish_reason: "ERROR" } }],
      reason: "no capacity",
    },
  ];

  it.each(cases)("$title ($target)", ({ target, reply, reason }) => {
    const error = refusalOf(() => readCalls(reply, target));
    expect(error).toMatchObject({ code: "REPLY_INVALID", message: expect.stringContaining(reason) });
    expect(error!.message).toContain(`"${target}"`);
  });

  it("a key in the vendor's message is not repeated, and a long message is cut", () => {
    const error = refusalOf(() =>
      readCalls({ error: { message: `Incorrect API key: sk-proj-abcdef123456. ${"x ".repeat(900)}` } } as unknown, "openai-chat"),
    );
    expect(error!.message).toContain("Incorrect API key");
    expect(error!.message).not.toContain("abcdef");
    expect(error!.message.length).toBeLessThan(700);
  });
});

describe("a reply of another kind is known by its marks:", () => {
  const call = { id: "1", type: "function", function: { name, arguments: "{}" } };
  const cases: readonly (Case & { readonly says: string })[] = [
    {
      title: "a result of the AI SDK",
      target: "openai-chat",
      reply: { text: "", toolCalls: [{ toolCallId: "1", toolName: name, input: {} }], finishReason: "tool-calls" },
      says: "AI SDK",
    },
    {
      title: "a response of Cohere",
      target: "openai-chat",
      reply: { id: "1", finish_reason: "TOOL_CALL", message: { role: "assistant", tool_calls: [call] } },
      says: '"cohere"',
    },
    {
      title: "a response of Ollama",
      target: "openai-chat",
      reply: { model: "m", message: { role: "assistant", tool_calls: [{ function: { name, arguments: {} } }] }, done: true },
      says: '"ollama"',
    },
    { title: "a completion", target: "ollama", reply: completion("tool_calls", "{}"), says: '"openai-chat"' },
    { title: "a completion", target: "cohere", reply: completion("tool_calls", "{}"), says: '"openai-chat"' },
    {
      title: "the content of a message",
      target: "anthropic",
      reply: [{ type: "tool_use", id: "1", name, input: {} }],
      says: "the content of a message",
    },
    { title: "the text in a message", target: "anthropic", reply: [{ type: "text", text: "Hi" }], says: "the content of a message" },
    { title: "the calls of a message", target: "openai-chat", reply: [call], says: "the list of calls in a message" },
    { title: "the parts of a content", target: "gemini", reply: [{ functionCall: { name, args: {} } }], says: "the parts of a content" },
  ];

  it.each(cases)("$title ($target)", ({ target, reply, says }) => {
    expect(refusalOf(() => readCalls(reply, target))).toMatchObject({ code: "REPLY_INVALID", message: expect.stringContaining(says) });
  });

  it("a call without a name cannot be run", () => {
    const reply = { choices: [{ message: { role: "assistant", tool_calls: [{ id: "1", function: { arguments: "{}" } }] } }] };
    expect(readCalls(reply, "openai-chat")).toMatchObject([{ id: "1", name: "", error: { code: "INPUT_INVALID" } }]);
  });
});

function refusalOf(read: () => unknown): ToolError | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    expect(ToolError.is(error)).toBe(true);
    return error as ToolError;
  }
}
