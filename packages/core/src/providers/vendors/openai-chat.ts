import { chatFormat, chatLimits } from "../format/chat.ts";
import type { Provider } from "../provider.ts";

export const openAiChatProvider: Provider = chatFormat("openai-chat", "openai", { limits: { ...chatLimits, tools: 128 } });
