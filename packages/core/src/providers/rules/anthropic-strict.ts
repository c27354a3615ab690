import { anthropicStrictLimits as limits, strictCosts } from "./strict-limits.ts";
import {
  formatsAmong,
  keysMatch,
  nodesAreTyped,
  objectsAreClosed,
  onlyKeywords,
  patternsAreRegular,
  requiredIsDeclared,
  rootIsObject,
  rootWithout,
} from "./common.ts";
import type { NodeRule, VendorRule, WholeRule } from "./rule.ts";

const plainArguments: NodeRule = {
  node(node, report) {
    const { minItems, enum: values } = node;
    if (typeof minItems === "number" && minItems > 1) report("minItems", "minItems may only be 0 or 1");
    const holdsObject = Array.isArray(values) && values.some((value) => typeof value === "object" && value !== null);
    if (holdsObject) report("enum", "listed values must be texts, numbers, true, false or null");
  },
};

const withinBudget: WholeRule = {
  whole(schema, report) {
    const { optional, unions } = strictCosts(schema);
    if (optional > limits.optional) report("", "required", `at most ${limits.optional} optional properties, and there are ${optional}`);
    if (unions > limits.unions) report("", "anyOf", `at most ${limits.unions} unions, and there are ${unions}`);
  },
};

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
