import { looseSchema } from "../adapt/presets.ts";
import { defineProvider } from "../define-provider.ts";
import { chatLimits, chatWire, namedChoice } from "../format/chat.ts";
import type { Provider } from "../provider.ts";
import { chatRules } from "../rules/common.ts";
import type { ChatShapes } from "../shapes/chat.ts";

/** Groq, over the Chat format: guide "Tool use". It has no list of allowed tools; the nearest it can say is that some tool must be called. */
export const groq: Provider<"groq", ChatShapes> = defineProvider({
  name: "groq",
  wire: {
    ...chatWire(),
    writeChoice: ({ choice, parallel }) => ({
      tool_choice: typeof choice === "object" && "tools" in choice ? (choice.mode ?? "required") : namedChoice(choice),
      ...(parallel !== undefined && { parallel_tool_calls: parallel }),
    }),
  },
  limits: { ...chatLimits, tools: 128 },
  schema: looseSchema,
  // The same demands on the root as OpenAI.
  rules: chatRules,
});
