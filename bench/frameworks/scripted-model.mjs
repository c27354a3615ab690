import { MockLanguageModelV4 } from "ai/test";

const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };

/**
 * A model of the AI SDK's kind that makes the calls in its first turn and is done in its second. Its name is that of a real model,
 * because frameworks rewrite schemas for those that they know. `seen` are the options of its turns.
 */
export function createScriptedModel(calls) {
  const seen = [];
  const turn = (options) => {
    seen.push(options);
    if (seen.length > 1) return { content: [{ type: "text", text: "Done." }], finishReason: { unified: "stop", raw: "stop" } };
    const content = calls.map(({ id, name, input }) => ({
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      input: JSON.stringify(input),
    }));
    return { content, finishReason: { unified: "tool-calls", raw: "tool_calls" } };
  };
  const model = new MockLanguageModelV4({
    provider: "openai.responses",
    modelId: "gpt-5",
    doGenerate: async (options) => ({ ...turn(options), usage, warnings: [] }),
    doStream: async (options) => ({ stream: ReadableStream.from(toParts(turn(options))) }),
  });
  return { model, seen };
}

function toParts({ content, finishReason }) {
  const parts = content.flatMap((part) =>
    part.type === "text"
      ? [
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta: part.text },
          { type: "text-end", id: "1" },
        ]
      : [part],
  );
  return [{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", finishReason, usage }];
}

/** What the model saw: the tools in its first turn, and the results in its last. */
export function whatModelSaw(seen) {
  const results = seen
    .at(-1)
    .prompt.filter(({ role }) => role === "tool")
    .flatMap(({ content }) => content);
  return {
    shown: seen[0].tools.map(({ name, description, inputSchema }) => ({ name, description, schema: inputSchema })),
    answers: results.map(({ toolCallId, output: { type, value } }) => ({
      id: toolCallId,
      text: typeof value === "string" ? value : JSON.stringify(value),
      failed: type.startsWith("error"),
    })),
  };
}
