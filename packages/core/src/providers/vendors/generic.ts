import { looseSchema } from "../adapt/presets.ts";
import { defineProvider } from "../define-provider.ts";
import { either, isListWith, objectsIn, plainText, readArguments, text } from "../format/parts.ts";
import type { Provider } from "../provider.ts";
import { localReferences, rootHasProperties, rootIsObject } from "../rules/common.ts";
import type { GenericShapes } from "../shapes/generic.ts";

/** The plain form: tools as { name, description, parameters }, calls as { name, parameters }, results as { name, success, data, error }. */
export const generic: Provider<"generic", GenericShapes> = defineProvider({
  name: "generic",
  wire: {
    declare: (tool) => ({ name: tool.name, description: tool.description, parameters: tool.schema }),
    readCalls: (reply) =>
      objectsIn(either(reply, "tool_calls", "toolCalls", "calls") ?? reply)
        .filter((call) => typeof either(call, "name", "tool") === "string")
        .map((call, index) => ({
          id: text(either(call, "id", "call_id")) || `call_${index}`,
          name: text(either(call, "name", "tool")),
          ...readArguments(either(call, "parameters", "arguments", "input")),
        })),
    isReply(reply) {
      const calls = either(reply, "tool_calls", "toolCalls", "calls");
      return isListWith(calls ?? reply, (call) => typeof either(call, "name", "tool") === "string");
    },
    writeResults: (answers) =>
      answers.map(({ call, result }) => ({
        id: call.id,
        name: call.wireName,
        success: result.ok,
        data: result.ok ? (result.data ?? plainText(result)) : null,
        error: result.ok ? null : result.error,
      })),
    writeChoice: ({ choice }) => ({ tool_choice: choice }),
  },
  limits: { name: /^[a-zA-Z0-9_.-]{1,128}$/, nameLength: 128 },
  schema: looseSchema,
  rules: [rootIsObject, rootHasProperties, localReferences],
});
