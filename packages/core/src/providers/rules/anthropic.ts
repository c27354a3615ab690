import { keysMatch, localReferences, rootIsObject, rootWithout } from "./common.ts";
import type { VendorRule } from "./rule.ts";

/**
 * Anthropic Messages tools. Sources: API errors "input_schema does not support oneOf, allOf, or anyOf at the top level",
 * "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'", "input_schema.type: Field required".
 */
export const anthropicRules: readonly VendorRule[] = [
  rootIsObject,
  rootWithout("anyOf", "oneOf", "allOf", "$ref"),
  keysMatch(/^[a-zA-Z0-9_.-]{1,64}$/),
  localReferences,
];
