import { chatFormat } from "../format/chat.ts";
import type { Provider } from "../provider.ts";

export const openRouterProvider: Provider = chatFormat("openrouter", "openrouter");
