const call = { id: "call_abcd", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } };
const completion = (message: object): object => ({
  id: "c1",
  object: "chat.completion",
  created: 1,
  model: "m",
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Done.", ...message } }],
});
const message = (...content: object[]): object => ({ id: "m1", type: "message", role: "assistant", model: "m", content, usage: {} });
const candidate = (...parts: object[]): object => ({ candidates: [{ index: 0, content: { role: "model", parts } }] });
const converse = (...content: object[]): object => ({
  output: { message: { role: "assistant", content } },
  stopReason: "end_turn",
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
  metrics: { latencyMs: 1 },
});
const ollama = (more: object): object => ({
  model: "m",
  created_at: "2026-01-01T00:00:00Z",
  done: true,
  message: { role: "assistant", content: "Done.", ...more },
});
const output = (...items: object[]): object => ({ id: "r1", object: "response", created_at: 1, model: "m", output: items });
const cohere = (more: object): object => ({ id: "c1", finish_reason: "COMPLETE", message: { role: "assistant", ...more } });

/** What the API of each vendor answers: first a call of weather({ city: "Oslo" }), then a text. */
export const vendorAnswers = {
  anthropic: [
    message({ type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Oslo" } }),
    message({ type: "text", text: "Done." }),
  ],
  "openai-responses": [
    output({ type: "function_call", id: "fc_1", call_id: "call_abcd", name: "weather", arguments: '{"city":"Oslo"}' }),
    output({ type: "message", id: "m1", role: "assistant", content: [{ type: "output_text", text: "Done.", annotations: [] }] }),
  ],
  "openai-chat": [completion({ tool_calls: [call] }), completion({})],
  gemini: [candidate({ functionCall: { name: "weather", args: { city: "Oslo" } } }), candidate({ text: "Done." })],
  bedrock: [converse({ toolUse: { toolUseId: "tooluse_1", name: "weather", input: { city: "Oslo" } } }), converse({ text: "Done." })],
  mistral: [completion({ tool_calls: [call] }), completion({})],
  cohere: [cohere({ tool_calls: [call] }), cohere({ content: [{ type: "text", text: "Done." }] })],
  ollama: [ollama({ tool_calls: [{ function: { name: "weather", arguments: { city: "Oslo" } } }] }), ollama({})],
} as const;
