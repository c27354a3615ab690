import { chatFormat } from "./_chat.ts";
import type { Provider } from "./provider.ts";

export const xaiProvider: Provider = chatFormat("xai", "xai");
