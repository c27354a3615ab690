import { MockLanguageModelV4 } from "ai/test";
import { scriptTurns } from "../lib/scripted-turns.mjs";

/** A model of the AI SDK's kind that makes the calls in its first turn and is done in its second. `seen` are the options of its turns. */
export function createScriptedModel(calls) {
  const { options, seen } = scriptTurns(calls);
  return { model: new MockLanguageModelV4(options), seen };
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
