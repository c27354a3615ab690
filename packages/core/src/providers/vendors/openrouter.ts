import { looseSchema } from "../adapt/presets.ts";
import { defineProvider } from "../define-provider.ts";
import { chatLimits, chatWire } from "../format/chat.ts";
import type { Provider } from "../provider.ts";
import { chatRules } from "../rules/common.ts";
import type { ChatShapes } from "../shapes/chat.ts";

/** OpenRouter, over the Chat format. It hands tools on to many vendors, so the root obeys the strictest of the common rules. */
export const openRouter: Provider<"openrouter", ChatShapes> = defineProvider({
  name: "openrouter",
  wire: chatWire(),
  limits: chatLimits,
  schema: looseSchema,
  rules: chatRules,
});
