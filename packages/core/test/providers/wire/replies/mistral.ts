import type { ReplyFixture } from "./reply.ts";

const first = { id: "D681PevKs", type: "function", index: 0, function: { name: "weather", arguments: { city: "Berlin" } } };
const second = { id: "a1b2c3d4e", type: "function", index: 1, function: { name: "files_read", arguments: '{"path":"a"}' } };
const head = { id: "c1", created: 1_780_000_000, model: "m" };
const event = (delta: object, finishReason: string | null = null): object => ({
  data: { ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finishReason }] },
});
const common = { target: "mistral", typings: "@mistralai/mistralai 2.7.0", ids: ["D681PevKs", "a1b2c3d4e"] } as const;

/** ChatCompletionResponse and CompletionEvent as the SDK hands them out; the same as the API sends them. */
export const mistralReplies: readonly ReplyFixture[] = [
  {
    ...common,
    whole: {
      ...head,
      object: "chat.completion",
      usage: { promptTokens: 40, completionTokens: 30, totalTokens: 70 },
      choices: [
        { index: 0, finishReason: "tool_calls", message: { role: "assistant", content: "", toolCalls: [first, second], prefix: false } },
      ],
    },
    streamed: [
      event({ role: "assistant", content: "" }),
      event({ toolCalls: [{ ...first, function: { name: "weather", arguments: '{"city": "Berlin"}' } }] }),
      event({ toolCalls: [second] }, "tool_calls"),
    ],
  },
  {
    ...common,
    whole: {
      ...head,
      object: "chat.completion",
      usage: { prompt_tokens: 40, completion_tokens: 30, total_tokens: 70 },
      choices: [
        { index: 0, finish_reason: "tool_calls", message: { role: "assistant", content: "", tool_calls: [first, second], prefix: false } },
      ],
    },
    streamed: [
      { ...head, choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }] },
      { ...head, choices: [{ index: 0, delta: { tool_calls: [first, second] }, finish_reason: "tool_calls" }] },
    ],
  },
];
