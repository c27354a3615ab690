import { chatFormat } from "./_chat.ts";
import type { Provider } from "./provider.ts";

export const openRouterProvider: Provider = chatFormat("openrouter", "openrouter");
