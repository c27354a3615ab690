const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };

/**
 * What a model of the AI SDK's kind needs to make the calls in its first turn and to be done in its second: options for the SDK's own mock. Its name is
 * that of a real model, because frameworks rewrite schemas for those that they know. `seen` are the options of its turns.
 */
export function scriptTurns(calls) {
  const seen = [];
  const turn = (options) => {
    seen.push(options);
    if (seen.length > 1) return { content: [{ type: "text", text: "Done." }], finishReason: { unified: "stop", raw: "stop" } };
    const content = calls.map(({ id, name, input }, index) => ({
      type: "tool-call",
      toolCallId: id ?? `call_${index}`,
      toolName: name,
      input: JSON.stringify(input),
    }));
    return { content, finishReason: { unified: "tool-calls", raw: "tool_calls" } };
  };
  const options = {
    provider: "openai.responses",
    modelId: "gpt-5",
    doGenerate: async (given) => ({ ...turn(given), usage, warnings: [] }),
    doStream: async (given) => ({ stream: ReadableStream.from(toParts(turn(given))) }),
  };
  return { options, seen };
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
