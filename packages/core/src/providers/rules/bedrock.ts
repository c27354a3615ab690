import { keysMatch, localReferences, rootIsObject, rootWithout } from "./common.ts";
import type { VendorRule } from "./rule.ts";

/** Bedrock Converse: `ToolInputSchema.json` must be an object schema; beyond that the model decides, and Claude is the strictest. */
export const bedrockRules: readonly VendorRule[] = [
  rootIsObject,
  rootWithout("anyOf", "oneOf", "allOf", "$ref"),
  keysMatch(/^[a-zA-Z0-9_.-]{1,64}$/),
  localReferences,
];
