import type { LanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";

export interface ScriptedCall {
  readonly name: string;
  readonly input: object;
}

/** What a model is shown in one turn. */
type Options = Parameters<MockLanguageModelV4["doGenerate"]>[0];

/** A model of the AI SDK that makes the calls in its first turn and ends in its second. `seen` are the options of its turns. */
export function createScriptedModel(calls: readonly ScriptedCall[]): { model: LanguageModel; seen: Options[] } {
  const seen: Options[] = [];
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  const turn = (options: Options) => {
    seen.push(options);
    if (seen.length > 1) return { content: [{ type: "text", text: "Done." }], finishReason: { unified: "stop", raw: "stop" } };
    const content = calls.map(({ name, input }, index) => ({
      type: "tool-call",
      toolCallId: `call_${index}`,
      toolName: name,
      input: JSON.stringify(input),
    }));
    return { content, finishReason: { unified: "tool-calls", raw: "tool_calls" } };
  };
  const model = new MockLanguageModelV4({
    provider: "openai.responses",
    modelId: "gpt-5",
    doGenerate: async (options) => ({ ...turn(options), usage, warnings: [] }) as never,
    doStream: async (options) => ({ stream: ReadableStream.from(toParts(turn(options), usage)) }) as never,
  });
  return { model, seen };
}

function toParts({ content, finishReason }: { content: { type: string; text?: string }[]; finishReason: object }, usage: object): object[] {
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

/** What the model was told in its last turn, one output for each call. */
export function outputsIn(seen: readonly Options[]): unknown[] {
  return seen
    .at(-1)!
    .prompt.filter(({ role }) => role === "tool")
    .flatMap(({ content }) => content as { output: unknown }[])
    .map(({ output }) => output);
}
