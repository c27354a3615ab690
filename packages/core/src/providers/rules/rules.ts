import type { JsonSchema } from "@toolrack/json-schema";
import { modeOf } from "../mode.ts";
import { providerFor, type VendorTarget } from "../providers.ts";
import { findViolations } from "./find-violations.ts";
import type { Violation } from "./rule.ts";

/**
 * What a vendor would refuse in a schema, by its documented rules and the errors it is known to answer. Empty means accepted.
 * `strict` says whether the rules of its strict mode apply. @default as the target says: true for "openai-strict"
 */
export function checkVendorSchema(
  schema: JsonSchema,
  target: VendorTarget,
  options: { readonly strict?: boolean } = {},
): readonly Violation[] {
  return findViolations(schema, modeOf(providerFor(target), options.strict).rules);
}
