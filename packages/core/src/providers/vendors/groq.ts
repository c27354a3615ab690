import { chatChoice, chatFormat, chatLimits } from "../format/chat.ts";
import type { Provider } from "../provider.ts";

/** Groq knows no list of allowed tools: the nearest it can say is that some tool must be called. */
export const groqProvider: Provider = chatFormat("groq", "groq", {
  limits: { ...chatLimits, tools: 128 },
  writeChoice: ({ choice, parallel }) => ({
    tool_choice: typeof choice === "object" && "tools" in choice ? (choice.mode ?? "required") : chatChoice(choice),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
  }),
});
