import { arraysHaveItems, localReferences, notKeywords, rootHasProperties, rootIsObject, rootWithout } from "./common.ts";
import type { VendorRule } from "./rule.ts";

/** DeepSeek, over the Chat format. Unions are read badly by its models, and clients in the field send none. */
export const deepSeekRules: readonly VendorRule[] = [
  rootIsObject,
  rootHasProperties,
  rootWithout("allOf", "enum", "not", "$ref"),
  notKeywords("anyOf", "oneOf"),
  arraysHaveItems,
  localReferences,
];
