import type { ReplyFixture } from "./reply.ts";

const call = (id: string, name: string, args: string): object => ({ id, type: "function", function: { name, arguments: args } });
const head = { id: "c1", created: 1_780_000_000, model: "m" };
const chunk = (delta: object, finish_reason: string | null = null): object => ({
  ...head,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason }],
});

/** The message of OpenAI says besides whether it is a refusal. */
const whole = (more?: object): object => ({
  ...head,
  object: "chat.completion",
  choices: [
    {
      index: 0,
      logprobs: null,
      finish_reason: "tool_calls",
      message: {
        role: "assistant",
        content: null,
        ...more,
        tool_calls: [call("call_a", "weather", '{"city":"Berlin"}'), call("call_b", "files_read", '{"path":"a"}')],
      },
    },
  ],
});
const streamed = [
  chunk({ role: "assistant", content: "" }),
  chunk({ tool_calls: [{ index: 0, ...call("call_a", "weather", "") }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }),
  chunk({
    tool_calls: [
      { index: 0, function: { arguments: '"Berlin"}' } },
      { index: 1, ...call("call_b", "files_read", "") },
    ],
  }),
  chunk({ tool_calls: [{ index: 1, function: { arguments: '{"path":"a"}' } }] }),
  chunk({}, "tool_calls"),
];
const openAi = { typings: "openai 7.53.0", ids: ["call_a", "call_b"], whole: whole({ refusal: null }), streamed } as const;

/** ChatCompletion, ChatCompletionChunk */
export const chatReplies: readonly ReplyFixture[] = [
  { ...openAi, target: "openai-chat" },
  { ...openAi, target: "deepseek" },
  { ...openAi, target: "xai" },
  { ...openAi, target: "openrouter" },
  { ...openAi, target: "groq", typings: "groq-sdk 1.6.0", whole: whole() },
];
