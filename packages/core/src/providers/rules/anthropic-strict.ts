import type { JsonSchema } from "../../schema/schema.ts";
import {
  eachNode,
  formatsAmong,
  keysMatch,
  nodesAreTyped,
  objectsAreClosed,
  onlyKeywords,
  patternsAreRegular,
  requiredIsDeclared,
  rootIsObject,
  rootWithout,
} from "./_shared.ts";
import { anthropicStrictLimits, strictCosts } from "../adapt/limits.ts";
import type { VendorRule } from "./rule.ts";

/**
 * Anthropic tools with `strict: true`. Source: "Structured outputs" guide, section "JSON Schema limitations": no recursion, no bounds
 * on numbers and texts, `minItems` only 0 or 1, lists of values hold no objects.
 */
export const anthropicStrictRules: readonly VendorRule[] = [
  rootIsObject,
  rootWithout("anyOf"),
  keysMatch(/^[a-zA-Z0-9_.-]{1,64}$/),
  objectsAreClosed,
  requiredIsDeclared,
  nodesAreTyped,
  onlyKeywords(
    ..."type title description default enum properties required additionalProperties items anyOf pattern format minItems".split(" "),
  ),
  formatsAmong("date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"),
  patternsAreRegular,
  plainArguments,
  withinBudget,
];

function plainArguments(schema: JsonSchema, report: (path: string, keyword: string, message: string) => void): void {
  eachNode(schema, (node, path) => {
    if (typeof node["minItems"] === "number" && node["minItems"] > 1) report(path, "minItems", "minItems may only be 0 or 1");
    if (Array.isArray(node["enum"]) && node["enum"].some((value) => typeof value === "object" && value !== null)) {
      report(path, "enum", "listed values must be texts, numbers, true, false or null");
    }
  });
}

function withinBudget(schema: JsonSchema, report: (path: string, keyword: string, message: string) => void): void {
  const { optional, unions } = strictCosts(schema);
  if (optional > anthropicStrictLimits.optional)
    report("", "required", `at most ${anthropicStrictLimits.optional} optional properties, and there are ${optional}`);
  if (unions > anthropicStrictLimits.unions) report("", "anyOf", `at most ${anthropicStrictLimits.unions} unions, and there are ${unions}`);
}
