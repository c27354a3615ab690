import { isObject } from "../../util/json.ts";
import {
  arraysHaveItems,
  eachNode,
  formatsAmong,
  localReferences,
  nodesAreTyped,
  objectsAreClosed,
  onlyKeywords,
  patternsAreRegular,
  requiredIsDeclared,
  rootHasProperties,
  rootIsObject,
  rootWithout,
  typesIn,
} from "./_shared.ts";
import { openAiStrictLimits } from "../adapt/limits.ts";
import type { VendorRule } from "./rule.ts";
import type { JsonSchema } from "../../schema/schema.ts";

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
  withinLimits,
];

function allRequired(schema: JsonSchema, report: (path: string, keyword: string, message: string) => void): void {
  eachNode(schema, (node, path) => {
    const required = Array.isArray(node["required"]) ? (node["required"] as string[]) : [];
    const missing = Object.keys(isObject(node["properties"]) ? node["properties"] : {}).filter((key) => !required.includes(key));
    if (missing.length > 0) report(path, "required", `every property must be required, and ${missing.join(", ")} is not`);
  });
}

function withinLimits(schema: JsonSchema, report: (path: string, keyword: string, message: string) => void): void {
  let [properties, values, text] = [0, 0, 0];
  eachNode(schema, (node, path) => {
    const names = [
      ...Object.keys(isObject(node["properties"]) ? node["properties"] : {}),
      ...Object.keys(isObject(node["$defs"]) ? node["$defs"] : {}),
    ];
    const list = Array.isArray(node["enum"]) ? node["enum"].map(String) : [];
    const listText = list.reduce((sum, value) => sum + value.length, 0);
    properties += names.length;
    values += list.length;
    text += listText + names.reduce((sum, name) => sum + name.length, 0);
    const isLong = list.length > openAiStrictLimits.longEnum && listText > openAiStrictLimits.longEnumText;
    if (isLong)
      report(
        path,
        "enum",
        `a list of more than ${openAiStrictLimits.longEnum} values may hold ${openAiStrictLimits.longEnumText} characters`,
      );
  });
  if (properties > openAiStrictLimits.properties) report("", "properties", `at most ${openAiStrictLimits.properties} properties in all`);
  if (values > openAiStrictLimits.enumValues) report("", "enum", `at most ${openAiStrictLimits.enumValues} listed values in all`);
  if (text > openAiStrictLimits.textLength)
    report("", "properties", `at most ${openAiStrictLimits.textLength} characters of names and values in all`);
  const levels = Math.max(
    levelsOf(schema),
    ...Object.values(isObject(schema["$defs"]) ? schema["$defs"] : {}).map((inner) => levelsOf(inner as JsonSchema)),
  );
  if (levels > openAiStrictLimits.levels) report("", "properties", `at most ${openAiStrictLimits.levels} levels of nesting`);
}

/** Lists and objects inside each other. */
function levelsOf(node: JsonSchema): number {
  const own = typesIn(node).some((type) => type === "object" || type === "array") ? 1 : 0;
  const inner = [
    ...(isObject(node["properties"]) ? Object.values(node["properties"]) : []),
    ...(isObject(node["items"]) ? [node["items"]] : []),
    ...(Array.isArray(node["anyOf"]) ? node["anyOf"] : []),
  ];
  return own + inner.reduce((deepest: number, schema) => Math.max(deepest, levelsOf(schema as JsonSchema)), 0);
}
