import type { ReplyFixture } from "./reply.ts";

const call = (id: string, name: string, args: string): object => ({ id, type: "function", function: { name, arguments: args } });
const calls = [call("weather_1", "weather", '{"city":"Berlin"}'), call("files_read_2", "files_read", '{"path":"a"}')];
const common = { target: "cohere", typings: "cohere-ai 8.1.0", ids: ["weather_1", "files_read_2"] } as const;

/** V2ChatResponse and V2ChatStreamResponse as the SDK hands them out; the same as the API sends them. */
export const cohereReplies: readonly ReplyFixture[] = [
  {
    ...common,
    whole: { id: "c1", finishReason: "TOOL_CALL", message: { role: "assistant", toolPlan: "Look.", toolCalls: calls } },
    streamed: [
      { type: "message-start", id: "c1", delta: { message: { role: "assistant" } } },
      { type: "tool-plan-delta", delta: { message: { toolPlan: "Look." } } },
      { type: "tool-call-start", index: 0, delta: { message: { toolCalls: call("weather_1", "weather", "") } } },
      { type: "tool-call-delta", index: 0, delta: { message: { toolCalls: { function: { arguments: '{"city":"Berlin"}' } } } } },
      { type: "tool-call-end", index: 0 },
      { type: "tool-call-start", index: 1, delta: { message: { toolCalls: call("files_read_2", "files_read", '{"path":') } } },
      { type: "tool-call-delta", index: 1, delta: { message: { toolCalls: { function: { arguments: '"a"}' } } } } },
      { type: "tool-call-end", index: 1 },
      { type: "message-end", delta: { finishReason: "TOOL_CALL" } },
    ],
  },
  {
    ...common,
    whole: { id: "c1", finish_reason: "TOOL_CALL", message: { role: "assistant", tool_plan: "Look.", tool_calls: calls } },
    streamed: [
      { type: "tool-call-start", index: 0, delta: { message: { tool_calls: call("weather_1", "weather", '{"city":') } } },
      { type: "tool-call-delta", index: 0, delta: { message: { tool_calls: { function: { arguments: '"Berlin"}' } } } } },
      { type: "tool-call-start", index: 1, delta: { message: { tool_calls: call("files_read_2", "files_read", '{"path":"a"}') } } },
    ],
  },
];
