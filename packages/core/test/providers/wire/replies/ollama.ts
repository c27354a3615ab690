import type { ReplyFixture } from "./reply.ts";

const call = (name: string, args: object): object => ({ function: { name, arguments: args } });
const answered = (done: boolean, ...tool_calls: object[]): object => ({
  model: "m",
  created_at: new Date("2026-01-01T00:00:00Z"),
  done,
  done_reason: done ? "stop" : "",
  message: { role: "assistant", content: "", ...(tool_calls.length > 0 && { tool_calls }) },
  total_duration: 1,
  load_duration: 1,
  prompt_eval_count: 1,
  prompt_eval_duration: 1,
  eval_count: 1,
  eval_duration: 1,
});

/** ChatResponse */
export const ollamaReplies: readonly ReplyFixture[] = [
  {
    target: "ollama",
    typings: "ollama 0.6.4",
    whole: answered(true, call("weather", { city: "Berlin" }), call("files_read", { path: "a" })),
    streamed: [answered(false, call("weather", { city: "Berlin" })), answered(false, call("files_read", { path: "a" })), answered(true)],
  },
];
