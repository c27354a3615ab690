import { arraysHaveItems, localReferences, rootHasProperties, rootIsObject, rootWithout } from "./common.ts";
import type { VendorRule } from "./rule.ts";

/**
 * OpenAI function tools without strict. Sources: "Function calling" guide; API errors "schema must have type 'object' and not have
 * 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level", "object schema missing properties", "array schema missing items".
 */
export const openAiRules: readonly VendorRule[] = [
  rootIsObject,
  rootHasProperties,
  rootWithout("anyOf", "oneOf", "allOf", "enum", "not", "$ref"),
  arraysHaveItems,
  localReferences,
];
