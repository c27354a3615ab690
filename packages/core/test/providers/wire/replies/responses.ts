import type { ReplyFixture } from "./reply.ts";

const weather = { type: "function_call", id: "fc_1", call_id: "call_a", name: "weather", arguments: '{"city":"Berlin"}' };
const filesRead = { type: "function_call", id: "fc_2", call_id: "call_b", name: "files_read", arguments: '{"path":"a"}' };
const response = {
  id: "resp_1",
  object: "response",
  created_at: 1_780_000_000,
  model: "gpt-5",
  output_text: "",
  access_programs: null,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: null,
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: "auto",
  tools: [],
  top_p: null,
};
const finished = {
  ...response,
  status: "completed",
  output: [
    { type: "reasoning", id: "rs_1", summary: [] },
    { ...weather, status: "completed" },
    { ...filesRead, status: "completed" },
  ],
};
const pieces = [
  { type: "response.created", sequence_number: 0, response: { ...response, status: "in_progress", output: [] } },
  {
    type: "response.output_item.added",
    sequence_number: 1,
    output_index: 0,
    item: { ...weather, arguments: "", status: "in_progress" },
  },
  { type: "response.function_call_arguments.delta", sequence_number: 2, item_id: "fc_1", output_index: 0, delta: '{"city":' },
  { type: "response.function_call_arguments.delta", sequence_number: 3, item_id: "fc_1", output_index: 0, delta: '"Berlin"}' },
  {
    type: "response.function_call_arguments.done",
    sequence_number: 4,
    item_id: "fc_1",
    output_index: 0,
    arguments: '{"city":"Berlin"}',
  },
  { type: "response.output_item.done", sequence_number: 5, output_index: 0, item: { ...weather, status: "completed" } },
  {
    type: "response.output_item.added",
    sequence_number: 6,
    output_index: 1,
    item: { ...filesRead, arguments: "", status: "in_progress" },
  },
  { type: "response.function_call_arguments.delta", sequence_number: 7, item_id: "fc_2", output_index: 1, delta: '{"path":"a"}' },
];

/** Response, ResponseStreamEvent: once broken off before its end, once finished. */
export const responsesReplies: readonly ReplyFixture[] = [
  { target: "openai-responses", typings: "openai 7.53.0", ids: ["call_a", "call_b"], whole: finished, streamed: pieces },
  {
    target: "openai",
    typings: "openai 7.53.0",
    ids: ["call_a", "call_b"],
    whole: finished,
    streamed: [...pieces, { type: "response.completed", sequence_number: 8, response: finished }],
  },
];
