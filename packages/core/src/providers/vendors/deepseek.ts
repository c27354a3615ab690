import { chatChoice, chatFormat } from "../format/chat.ts";
import type { Provider } from "../provider.ts";

/** DeepSeek, over the Chat format; it has no flag for parallel calls and no list of allowed tools. */
export const deepSeekProvider: Provider = chatFormat("deepseek", "deepseek", {
  writeChoice: ({ choice }) => ({
    tool_choice: typeof choice === "object" && "tools" in choice ? (choice.mode ?? "required") : chatChoice(choice),
  }),
});
