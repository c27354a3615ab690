import { arraysHaveItems, localReferences, rootHasProperties, rootIsObject, rootWithout } from "./common.ts";
import type { VendorRule } from "./rule.ts";

/** Cohere v2: "tool use" guide; any JSON Schema for an object. The root follows the common rules of the Chat format. */
export const cohereRules: readonly VendorRule[] = [
  rootIsObject,
  rootHasProperties,
  rootWithout("anyOf", "oneOf", "allOf", "enum", "not", "$ref"),
  arraysHaveItems,
  localReferences,
];
