import { dropKeywords } from "../adapt/keywords.ts";
import { when } from "../adapt/pass.ts";
import { looseSchema } from "../adapt/presets.ts";
import { defineProvider } from "../define-provider.ts";
import { chatLimits, chatWire } from "../format/chat.ts";
import type { Provider } from "../provider.ts";
import { arraysHaveItems, localReferences, notKeywords, rootHasProperties, rootIsObject, rootWithout } from "../rules/common.ts";
import type { ChatShapes } from "../shapes/chat.ts";

/** xAI, over the Chat format. `minContains` and `maxContains` were seen to fail requests with status 502. */
export const xai: Provider<"xai", ChatShapes> = defineProvider({
  name: "xai",
  wire: chatWire(),
  limits: chatLimits,
  schema: {
    ...looseSchema,
    // Without the other two `contains` would mean something else.
    passes: [...looseSchema.passes, when(["minContains", "maxContains"], dropKeywords(["contains", "minContains", "maxContains"]))],
  },
  rules: [
    rootIsObject,
    rootHasProperties,
    rootWithout("anyOf", "oneOf", "allOf", "enum", "not", "$ref"),
    notKeywords("minContains", "maxContains"),
    arraysHaveItems,
    localReferences,
  ],
});
