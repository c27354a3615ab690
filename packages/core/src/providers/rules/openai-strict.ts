import { isObject, rewriteSchema } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { openAiStrictLimits as limits } from "./strict-limits.ts";
import {
  arraysHaveItems,
  formatsAmong,
  localReferences,
  nodesAreTyped,
  objectsAreClosed,
  onlyKeywords,
  patternsAreRegular,
  propertiesIn,
  requiredIn,
  requiredIsDeclared,
  rootHasProperties,
  rootIsObject,
  rootWithout,
  typesIn,
} from "./common.ts";
import type { NodeRule, VendorRule, WholeRule } from "./rule.ts";

const allRequired: NodeRule = {
  node(node, report) {
    const required = requiredIn(node);
    const missing = Object.keys(propertiesIn(node)).filter((key) => !required.includes(key));
    if (missing.length > 0) report("required", `every property must be required, and ${missing.join(", ")} is not`);
  },
};

const shortEnums: NodeRule = {
  node(node, report) {
    const values = Array.isArray(node["enum"]) ? node["enum"] : [];
    const isLong = values.length > limits.longEnum && textLength(values) > limits.longEnumText;
    if (isLong) report("enum", `a list of more than ${limits.longEnum} values may hold ${limits.longEnumText} characters`);
  },
};

const withinLimits: WholeRule = {
  whole(schema, report) {
    let [properties, values, text] = [0, 0, 0];
    rewriteSchema(schema, (node) => {
      const names = Object.keys(propertiesIn(node));
      const list = Array.isArray(node["enum"]) ? node["enum"] : [];
      properties += names.length;
      values += list.length;
      text += textLength(list) + textLength(names);
      return node;
    });
    const definitions = isObject(schema["$defs"]) ? schema["$defs"] : {};
    text += textLength(Object.keys(definitions));
    if (properties > limits.properties) report("", "properties", `at most ${limits.properties} properties in all`);
    if (values > limits.enumValues) report("", "enum", `at most ${limits.enumValues} listed values in all`);
    if (text > limits.textLength) report("", "properties", `at most ${limits.textLength} characters of names and values in all`);
    const levels = Math.max(...[schema, ...Object.values(definitions)].map((root) => levelsOf(root as JsonSchema)));
    if (levels > limits.levels) report("", "properties", `at most ${limits.levels} levels of nesting`);
  },
};

/**
 * OpenAI function tools with `strict: true`. Sources: "Structured outputs" guide; API error "'uri' is not a valid format";
 * the keyword list is that of the guide, with lengths of texts left out because not every model takes them.
 */
export const openAiStrictRules: readonly VendorRule[] = [
  rootIsObject,
  rootHasProperties,
  rootWithout("anyOf", "$ref"),
  objectsAreClosed,
  allRequired,
  requiredIsDeclared,
  nodesAreTyped,
  arraysHaveItems,
  localReferences,
  onlyKeywords(
    ..."type title description enum properties required additionalProperties items anyOf $ref $defs".split(" "),
    ..."pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems".split(" "),
  ),
  formatsAmong("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"),
  patternsAreRegular,
  shortEnums,
  withinLimits,
];

/** Lists and objects inside each other. */
function levelsOf(node: JsonSchema): number {
  let deepest = 0;
  for (const inner of Object.values(propertiesIn(node))) deepest = Math.max(deepest, levelsOf(inner as JsonSchema));
  if (isObject(node["items"])) deepest = Math.max(deepest, levelsOf(node["items"]));
  if (Array.isArray(node["anyOf"])) for (const branch of node["anyOf"]) deepest = Math.max(deepest, levelsOf(branch as JsonSchema));
  return deepest + (typesIn(node).some((type) => type === "object" || type === "array") ? 1 : 0);
}

function textLength(values: readonly unknown[]): number {
  let length = 0;
  for (const value of values) length += String(value).length;
  return length;
}
