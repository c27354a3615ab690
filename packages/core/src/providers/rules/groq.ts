import { arraysHaveItems, localReferences, rootHasProperties, rootIsObject, rootWithout } from "./common.ts";
import type { VendorRule } from "./rule.ts";

/** Groq: the Chat format, "tool use" guide; the same demands on the root as OpenAI. */
export const groqRules: readonly VendorRule[] = [
  rootIsObject,
  rootHasProperties,
  rootWithout("anyOf", "oneOf", "allOf", "enum", "not", "$ref"),
  arraysHaveItems,
  localReferences,
];
