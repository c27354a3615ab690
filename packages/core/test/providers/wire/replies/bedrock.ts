import type { ReplyFixture } from "./reply.ts";

const usage = { inputTokens: 40, outputTokens: 30, totalTokens: 70 };
const search = { toolUseId: "srvtooluse_1", name: "web_search", type: "server_tool_use" };

/** ConverseResponse, ConverseStreamOutput; a tool that the vendor runs itself comes as a call too. */
export const bedrockReplies: readonly ReplyFixture[] = [
  {
    target: "bedrock",
    typings: "@aws-sdk/client-bedrock-runtime 3.1162.0",
    ids: ["tooluse_1", "tooluse_2"],
    whole: {
      stopReason: "tool_use",
      usage,
      metrics: { latencyMs: 300 },
      output: {
        message: {
          role: "assistant",
          content: [
            { text: "Let me look." },
            { toolUse: { ...search, input: { query: "Berlin" } } },
            { toolUse: { toolUseId: "tooluse_1", name: "weather", input: { city: "Berlin" } } },
            { toolUse: { toolUseId: "tooluse_2", name: "files_read", input: { path: "a" } } },
          ],
        },
      },
    },
    streamed: [
      { messageStart: { role: "assistant" } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { text: "Let me look." } } },
      { contentBlockStop: { contentBlockIndex: 0 } },
      { contentBlockStart: { contentBlockIndex: 1, start: { toolUse: search } } },
      { contentBlockDelta: { contentBlockIndex: 1, delta: { toolUse: { input: '{"query":"Berlin"}' } } } },
      { contentBlockStop: { contentBlockIndex: 1 } },
      { contentBlockStart: { contentBlockIndex: 2, start: { toolUse: { toolUseId: "tooluse_1", name: "weather" } } } },
      { contentBlockDelta: { contentBlockIndex: 2, delta: { toolUse: { input: '{"city":"Be' } } } },
      { contentBlockDelta: { contentBlockIndex: 2, delta: { toolUse: { input: 'rlin"}' } } } },
      { contentBlockStop: { contentBlockIndex: 2 } },
      { contentBlockStart: { contentBlockIndex: 3, start: { toolUse: { toolUseId: "tooluse_2", name: "files_read" } } } },
      { contentBlockDelta: { contentBlockIndex: 3, delta: { toolUse: { input: '{"path":"a"}' } } } },
      { contentBlockStop: { contentBlockIndex: 3 } },
      { messageStop: { stopReason: "tool_use" } },
      { metadata: { usage, metrics: { latencyMs: 300 } } },
    ],
  },
];
