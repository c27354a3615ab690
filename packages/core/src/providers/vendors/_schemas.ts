import { type AdaptPass, runPasses } from "../adapt/pass.ts";
import { plainRoot } from "../adapt/passes/root.ts";
import { declareItems } from "../adapt/passes/tuples.ts";
import { plainNodePasses } from "../adapt/presets.ts";
import { hasIllegalKey } from "../adapt/shape/keys.ts";
import type { ProviderSchema } from "../provider.ts";
import { keysMatch, localReferences, rootIsObject, rootWithout } from "../rules/common.ts";
import type { VendorRule } from "../rules/rule.ts";

/** The keywords that every vendor with a list of allowed keywords has on it. */
export const commonKeywords: readonly string[] = [
  "type",
  "title",
  "description",
  "enum",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "$ref",
];

/** The formats that the strict modes know. */
export const strictFormats: readonly string[] = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/** The property names that Claude takes. `__proto__` would be legal, but too many libraries on the way lose it. */
export const claudeKey: RegExp = /^(?!__proto__$)[a-zA-Z0-9_.-]{1,64}$/;

/** A schema with a name that Claude refuses has to be brought into plain nodes before its values can be translated. */
const legalKeys: AdaptPass = (schema, context) => (hasIllegalKey(schema, claudeKey) ? runPasses(plainNodePasses, schema, context) : schema);

/** For Claude, whoever runs it. */
export const claudeSchema: ProviderSchema = {
  start: "as-written",
  passes: [plainRoot, declareItems, legalKeys],
  shape: { legalKey: claudeKey },
  needsShape: (schema) => hasIllegalKey(schema, claudeKey),
};

export const claudeRules: readonly VendorRule[] = [
  rootIsObject,
  rootWithout("anyOf", "oneOf", "allOf", "$ref"),
  keysMatch(/^[a-zA-Z0-9_.-]{1,64}$/),
  localReferences,
];
