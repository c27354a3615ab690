import type { ReplyFixture } from "./reply.ts";

const usage = {
  cache_creation: null,
  cache_creation_input_tokens: null,
  cache_read_input_tokens: null,
  inference_geo: null,
  input_tokens: 40,
  output_tokens: 30,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: "standard",
  speed: "standard",
};
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude",
  container: null,
  diagnostics: null,
  stop_details: null,
  stop_sequence: null,
  usage,
};
const caller = { type: "direct" };

/** Message, RawMessageStreamEvent */
export const anthropicReplies: readonly ReplyFixture[] = [
  {
    target: "anthropic",
    typings: "@anthropic-ai/sdk 1.8.0",
    ids: ["toolu_1", "toolu_2"],
    whole: {
      ...message,
      stop_reason: "tool_use",
      content: [
        { type: "text", text: "Let me look.", citations: null },
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "Berlin" }, caller },
        { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Berlin" }, caller },
        { type: "tool_use", id: "toolu_2", name: "files_read", input: { path: "a" }, caller },
      ],
    },
    streamed: [
      { type: "message_start", message: { ...message, stop_reason: null, content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "", citations: null } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Let me look." } },
      { type: "content_block_stop", index: 0 },
      {
        type: "content_block_start",
        index: 1,
        content_block: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {}, caller },
      },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"query":"Berlin"}' } },
      { type: "content_block_stop", index: 1 },
      { type: "content_block_start", index: 2, content_block: { type: "tool_use", id: "toolu_1", name: "weather", input: {}, caller } },
      { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"city": "Ber' } },
      { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: 'lin"}' } },
      { type: "content_block_stop", index: 2 },
      { type: "content_block_start", index: 3, content_block: { type: "tool_use", id: "toolu_2", name: "files_read", input: {}, caller } },
      { type: "content_block_delta", index: 3, delta: { type: "input_json_delta", partial_json: '{"path":"a"}' } },
      { type: "content_block_stop", index: 3 },
      {
        type: "message_delta",
        delta: { container: null, stop_details: null, stop_reason: "tool_use", stop_sequence: null },
        usage: {
          cache_creation_input_tokens: null,
          cache_read_input_tokens: null,
          input_tokens: 40,
          output_tokens: 30,
          output_tokens_details: null,
          server_tool_use: null,
        },
      },
      { type: "message_stop" },
    ],
  },
];
