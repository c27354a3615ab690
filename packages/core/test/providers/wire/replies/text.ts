import type { ProviderTarget } from "../../../../src/providers/providers.ts";

/** Replies without calls, as vendors write them. */
export const textReplies: readonly { readonly target: ProviderTarget; readonly form: string; readonly reply: unknown }[] = [
  {
    target: "anthropic",
    form: "message",
    reply: { id: "m1", type: "message", role: "assistant", model: "m", content: [{ type: "text", text: "Hi" }], stop_reason: "end_turn" },
  },
  {
    target: "anthropic",
    form: "stream",
    reply: [
      { type: "message_start", message: { id: "m1", type: "message", role: "assistant", content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
      { type: "message_stop" },
    ],
  },
  {
    target: "openai",
    form: "response",
    reply: {
      id: "r1",
      object: "response",
      metadata: {},
      output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi" }] }],
    },
  },
  {
    target: "openai",
    form: "list of output items",
    reply: [
      { type: "reasoning", id: "rs", summary: [] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi" }] },
    ],
  },
  {
    target: "openai",
    form: "stream",
    reply: [
      { type: "response.created", response: {} },
      { type: "response.output_text.delta", delta: "Hi" },
    ],
  },
  {
    target: "openai-chat",
    form: "completion",
    reply: { id: "c1", object: "chat.completion", choices: [{ index: 0, message: { role: "assistant", content: "Hi" } }] },
  },
  { target: "openai-chat", form: "refusal", reply: { choices: [{ message: { role: "assistant", content: null, refusal: "No." } }] } },
  {
    target: "openai-chat",
    form: "stream",
    reply: [{ choices: [], usage: null }, { choices: [{ index: 0, delta: { role: "assistant", content: "Hi" } }] }],
  },
  { target: "ollama", form: "response", reply: { model: "m", done: true, message: { role: "assistant", content: "Hi" } } },
  { target: "mistral", form: "stream", reply: [{ data: { choices: [{ index: 0, delta: { content: "Hi" } }] } }] },
  {
    target: "cohere",
    form: "response",
    reply: { id: "c1", finishReason: "COMPLETE", message: { role: "assistant", content: [{ type: "text", text: "Hi" }] } },
  },
  { target: "gemini", form: "response", reply: { candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] } }] } },
  {
    target: "gemini",
    form: "response that ended early",
    reply: { candidates: [{ content: { role: "model" }, finishReason: "MAX_TOKENS" }] },
  },
  { target: "gemini", form: "content", reply: { role: "model", parts: [{ text: "Hi" }] } },
  {
    target: "bedrock",
    form: "response",
    reply: { stopReason: "end_turn", output: { message: { role: "assistant", content: [{ text: "Hi" }] } }, usage: {} },
  },
  { target: "bedrock", form: "message", reply: { role: "assistant", content: [{ text: "Hi" }] } },
  {
    target: "bedrock",
    form: "stream",
    reply: [{ messageStart: { role: "assistant" } }, { contentBlockDelta: { contentBlockIndex: 0, delta: { text: "Hi" } } }],
  },
  { target: "generic", form: "list of calls", reply: { calls: [] } },
];
