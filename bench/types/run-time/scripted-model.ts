import type { LanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { scriptTurns } from "../../lib/scripted-turns.mjs";

export interface ScriptedCall {
  readonly name: string;
  readonly input: object;
}

/** What a model is shown in one turn. */
type Options = Parameters<MockLanguageModelV4["doGenerate"]>[0];

/** A model of the AI SDK that makes the calls in its first turn and ends in its second. `seen` are the options of its turns. */
export function createScriptedModel(calls: readonly ScriptedCall[]): { model: LanguageModel; seen: Options[] } {
  const { options, seen } = scriptTurns(calls);
  return { model: new MockLanguageModelV4(options), seen };
}

/** What the model was told in its last turn, one output for each call. */
export function outputsIn(seen: readonly Options[]): unknown[] {
  return seen
    .at(-1)!
    .prompt.filter(({ role }) => role === "tool")
    .flatMap(({ content }) => content as { output: unknown }[])
    .map(({ output }) => output);
}
