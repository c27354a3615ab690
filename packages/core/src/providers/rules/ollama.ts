import { localReferences, rootHasProperties, rootIsObject, rootWithout } from "./common.ts";
import type { VendorRule } from "./rule.ts";

/** Ollama puts the schema into the template of the model: an object with properties is what templates can show. */
export const ollamaRules: readonly VendorRule[] = [
  rootIsObject,
  rootHasProperties,
  rootWithout("anyOf", "oneOf", "allOf", "enum", "not", "$ref"),
  localReferences,
];
