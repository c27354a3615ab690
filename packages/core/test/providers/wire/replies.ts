import type { ProviderTarget } from "../../../src/providers/provider.ts";

/** One reply with two parallel calls, weather({ city: "Berlin" }) and files_read with broken arguments or { path: "a" }, as each vendor writes it. */
export interface ReplyFixture {
  readonly target: ProviderTarget;
  /** The package and version whose typings the shape follows. */
  readonly typings: string;
  readonly whole: unknown;
  /** The same reply as stream events or chunks. */
  readonly streamed?: readonly unknown[];
  /** The ids of the two calls; absent where the vendor gives none. */
  readonly ids?: readonly [string, string];
}

const chatCall = (id: string, name: string, args: string): object => ({ id, type: "function", function: { name, arguments: args } });
const chatCalls = [chatCall("call_a", "weather", '{"city":"Berlin"}'), chatCall("call_b", "files_read", '{"path":"a"}')];
const chatWhole = {
  id: "c1",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: null, tool_calls: chatCalls }, finish_reason: "tool_calls" }],
};
const chunk = (...tool_calls: object[]): object => ({ object: "chat.completion.chunk", choices: [{ index: 0, delta: { tool_calls } }] });
const chatStream = [
  { object: "chat.completion.chunk", choices: [{ index: 0, delta: { role: "assistant", content: "" } }] },
  chunk({ index: 0, ...chatCall("call_a", "weather", "") }),
  chunk({ index: 0, function: { arguments: '{"city":' } }),
  chunk({ index: 0, function: { arguments: '"Berlin"}' } }, { index: 1, ...chatCall("call_b", "files_read", "") }),
  chunk({ index: 1, function: { arguments: '{"path":"a"}' } }),
  { object: "chat.completion.chunk", choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
];

export const replyFixtures: readonly ReplyFixture[] = [
  {
    target: "anthropic",
    typings: "@anthropic-ai/sdk 1.8",
    ids: ["toolu_1", "toolu_2"],
    whole: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      stop_reason: "tool_use",
      content: [
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Berlin" } },
        { type: "tool_use", id: "toolu_2", name: "files_read", input: { path: "a" } },
      ],
    },
    streamed: [
      { type: "message_start", message: { id: "msg_1", content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Let me look." } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "toolu_1", name: "weather", input: {} } },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"city": "Ber' } },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: 'lin"}' } },
      { type: "content_block_stop", index: 1 },
      { type: "content_block_start", index: 2, content_block: { type: "tool_use", id: "toolu_2", name: "files_read", input: {} } },
      { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"path":"a"}' } },
      { type: "content_block_stop", index: 2 },
      { type: "message_stop" },
    ],
  },
  {
    target: "openai-responses",
    typings: "openai 7.53",
    ids: ["call_a", "call_b"],
    whole: {
      id: "resp_1",
      object: "response",
      output: [
        { type: "reasoning", id: "rs_1", summary: [] },
        { type: "function_call", id: "fc_1", call_id: "call_a", name: "weather", arguments: '{"city":"Berlin"}', status: "completed" },
        { type: "function_call", id: "fc_2", call_id: "call_b", name: "files_read", arguments: '{"path":"a"}', status: "completed" },
      ],
    },
    streamed: [
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { type: "function_call", id: "fc_1", call_id: "call_a", name: "weather", arguments: "" },
      },
      { type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 0, delta: '{"city":' },
      { type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 0, delta: '"Berlin"}' },
      { type: "response.function_call_arguments.done", item_id: "fc_1", output_index: 0, name: "weather", arguments: '{"city":"Berlin"}' },
      {
        type: "response.output_item.added",
        output_index: 1,
        item: { type: "function_call", id: "fc_2", call_id: "call_b", name: "files_read", arguments: "" },
      },
      { type: "response.function_call_arguments.delta", item_id: "fc_2", output_index: 1, delta: '{"path":"a"}' },
    ],
  },
  { target: "openai-chat", typings: "openai 7.53", ids: ["call_a", "call_b"], whole: chatWhole, streamed: chatStream },
  {
    target: "gemini",
    typings: "@google/genai 1",
    whole: {
      candidates: [
        {
          content: {
            role: "model",
            parts: [
              { functionCall: { name: "weather", args: { city: "Berlin" } }, thoughtSignature: "x" },
              { functionCall: { name: "files_read", args: { path: "a" } } },
            ],
          },
          finishReason: "STOP",
        },
      ],
    },
    streamed: [
      { candidates: [{ content: { role: "model", parts: [{ functionCall: { name: "weather", willContinue: true } }] } }] },
      {
        candidates: [
          {
            content: {
              parts: [
                { functionCall: { partialArgs: [{ jsonPath: "$.city", stringValue: "Ber", willContinue: true }], willContinue: true } },
              ],
            },
          },
        ],
      },
      { candidates: [{ content: { parts: [{ functionCall: { partialArgs: [{ jsonPath: "$.city", stringValue: "lin" }] } }] } }] },
      { candidates: [{ content: { parts: [{ functionCall: { name: "files_read", args: { path: "a" } } }] } }] },
    ],
  },
  {
    target: "bedrock",
    typings: "@aws-sdk/client-bedrock-runtime 3",
    ids: ["tooluse_1", "tooluse_2"],
    whole: {
      stopReason: "tool_use",
      output: {
        message: {
          role: "assistant",
          content: [
            { text: "Let me look." },
            { toolUse: { toolUseId: "tooluse_1", name: "weather", input: { city: "Berlin" } } },
            { toolUse: { toolUseId: "tooluse_2", name: "files_read", input: { path: "a" } } },
          ],
        },
      },
    },
    streamed: [
      { messageStart: { role: "assistant" } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { text: "Let me look." } } },
      { contentBlockStart: { contentBlockIndex: 1, start: { toolUse: { toolUseId: "tooluse_1", name: "weather" } } } },
      { contentBlockDelta: { contentBlockIndex: 1, delta: { toolUse: { input: '{"city":"Be' } } } },
      { contentBlockDelta: { contentBlockIndex: 1, delta: { toolUse: { input: 'rlin"}' } } } },
      { contentBlockStart: { contentBlockIndex: 2, start: { toolUse: { toolUseId: "tooluse_2", name: "files_read" } } } },
      { contentBlockDelta: { contentBlockIndex: 2, delta: { toolUse: { input: '{"path":"a"}' } } } },
      { messageStop: { stopReason: "tool_use" } },
    ],
  },
  {
    target: "mistral",
    typings: "@mistralai/mistralai 1",
    ids: ["D681PevKs", "a1b2c3d4e"],
    whole: {
      choices: [
        {
          message: {
            role: "assistant",
            toolCalls: [
              { id: "D681PevKs", function: { name: "weather", arguments: { city: "Berlin" } }, index: 0 },
              { id: "a1b2c3d4e", function: { name: "files_read", arguments: '{"path":"a"}' }, index: 1 },
            ],
          },
          finishReason: "tool_calls",
        },
      ],
    },
    streamed: [
      {
        data: {
          choices: [
            { delta: { toolCalls: [{ id: "D681PevKs", function: { name: "weather", arguments: '{"city": "Berlin"}' }, index: 0 }] } },
          ],
        },
      },
      {
        data: {
          choices: [{ delta: { toolCalls: [{ id: "a1b2c3d4e", function: { name: "files_read", arguments: '{"path":"a"}' }, index: 1 }] } }],
        },
      },
    ],
  },
  {
    target: "cohere",
    typings: "cohere-ai 7",
    ids: ["weather_1", "files_read_2"],
    whole: {
      message: {
        role: "assistant",
        toolPlan: "Look.",
        toolCalls: [chatCall("weather_1", "weather", '{"city":"Berlin"}'), chatCall("files_read_2", "files_read", '{"path":"a"}')],
      },
    },
    streamed: [
      { type: "tool-plan-delta", delta: { message: { toolPlan: "Look." } } },
      { type: "tool-call-start", index: 0, delta: { message: { toolCalls: chatCall("weather_1", "weather", "") } } },
      { type: "tool-call-delta", index: 0, delta: { message: { toolCalls: { function: { arguments: '{"city":"Berlin"}' } } } } },
      { type: "tool-call-end", index: 0 },
      { type: "tool-call-start", index: 1, delta: { message: { toolCalls: chatCall("files_read_2", "files_read", '{"path":') } } },
      { type: "tool-call-delta", index: 1, delta: { message: { toolCalls: { function: { arguments: '"a"}' } } } } },
    ],
  },
  { target: "groq", typings: "groq-sdk 0.37", ids: ["call_a", "call_b"], whole: chatWhole, streamed: chatStream },
  { target: "deepseek", typings: "openai 7.53", ids: ["call_a", "call_b"], whole: chatWhole, streamed: chatStream },
  { target: "xai", typings: "openai 7.53", ids: ["call_a", "call_b"], whole: chatWhole, streamed: chatStream },
  { target: "openrouter", typings: "openai 7.53", ids: ["call_a", "call_b"], whole: chatWhole, streamed: chatStream },
  {
    target: "ollama",
    typings: "ollama 0.6",
    whole: {
      model: "m",
      done: true,
      message: {
        role: "assistant",
        content: "",
        tool_calls: [
          { function: { name: "weather", arguments: { city: "Berlin" } } },
          { function: { name: "files_read", arguments: { path: "a" } } },
        ],
      },
    },
    streamed: [
      {
        model: "m",
        done: false,
        message: { role: "assistant", content: "", tool_calls: [{ function: { name: "weather", arguments: { city: "Berlin" } } }] },
      },
      {
        model: "m",
        done: false,
        message: { role: "assistant", content: "", tool_calls: [{ function: { name: "files_read", arguments: { path: "a" } } }] },
      },
      { model: "m", done: true, message: { role: "assistant", content: "" } },
    ],
  },
  {
    target: "generic",
    typings: "none",
    whole: {
      calls: [
        { name: "weather", parameters: { city: "Berlin" } },
        { name: "files_read", parameters: '{"path":"a"}' },
      ],
    },
  },
];
