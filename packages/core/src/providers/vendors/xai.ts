import { chatFormat } from "../format/chat.ts";
import type { Provider } from "../provider.ts";

export const xaiProvider: Provider = chatFormat("xai", "xai");
