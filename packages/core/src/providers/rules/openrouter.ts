import { arraysHaveItems, localReferences, rootHasProperties, rootIsObject, rootWithout } from "./common.ts";
import type { VendorRule } from "./rule.ts";

/** OpenRouter hands tools on to many vendors, so the root obeys the strictest of the common rules. */
export const openRouterRules: readonly VendorRule[] = [
  rootIsObject,
  rootHasProperties,
  rootWithout("anyOf", "oneOf", "allOf", "enum", "not", "$ref"),
  arraysHaveItems,
  localReferences,
];
