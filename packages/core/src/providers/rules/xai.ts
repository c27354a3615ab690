import { arraysHaveItems, localReferences, notKeywords, rootHasProperties, rootIsObject, rootWithout } from "./common.ts";
import type { VendorRule } from "./rule.ts";

/** xAI, over the Chat format. `minContains` and `maxContains` were seen to fail requests with status 502. */
export const xaiRules: readonly VendorRule[] = [
  rootIsObject,
  rootHasProperties,
  rootWithout("anyOf", "oneOf", "allOf", "enum", "not", "$ref"),
  notKeywords("minContains", "maxContains"),
  arraysHaveItems,
  localReferences,
];
