import { plainRoot } from "../adapt/passes/root.ts";
import { declareItems } from "../adapt/passes/tuples.ts";
import { uniteUnions } from "../adapt/passes/unions.ts";
import { looseSchema } from "../adapt/presets.ts";
import { defineProvider } from "../define-provider.ts";
import { chatLimits, chatWire, namedChoice } from "../format/chat.ts";
import type { Provider } from "../provider.ts";
import { arraysHaveItems, localReferences, notKeywords, rootHasProperties, rootIsObject, rootWithout } from "../rules/common.ts";
import type { ChatShapes } from "../shapes/chat.ts";

/** DeepSeek, over the Chat format; it has no flag for parallel calls and no list of allowed tools. */
export const deepSeek: Provider<"deepseek", ChatShapes> = defineProvider({
  name: "deepseek",
  wire: {
    ...chatWire(),
    writeChoice: ({ choice }) => ({
      tool_choice: typeof choice === "object" && "tools" in choice ? (choice.mode ?? "required") : namedChoice(choice),
    }),
  },
  limits: chatLimits,
  // Its models read unions badly, and clients in the field send none.
  schema: { ...looseSchema, normalizeFor: ["anyOf", "oneOf"], passes: [plainRoot, uniteUnions, declareItems] },
  rules: [
    rootIsObject,
    rootHasProperties,
    rootWithout("allOf", "enum", "not", "$ref"),
    notKeywords("anyOf", "oneOf"),
    arraysHaveItems,
    localReferences,
  ],
});
