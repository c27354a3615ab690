import { arraysHaveItems, formatsAmong, onlyKeywords, requiredIsDeclared, rootIsObject, rootWithout } from "./common.ts";
import type { NodeRule, VendorRule } from "./rule.ts";

const types = ["string", "number", "integer", "boolean", "array", "object"];

const plainTypes: NodeRule = {
  node(node, report) {
    const { anyOf, type, enum: values } = node;
    if (Array.isArray(anyOf)) {
      if (Object.keys(node).length > 1) report("anyOf", "anyOf must stand alone");
    } else if (!types.includes(type as string)) report("type", `one type is needed, of ${types.join(", ")}`);
    const areTexts = !Array.isArray(values) || values.every((value) => typeof value === "string" && value !== "");
    if (!areTexts) report("enum", "listed values must be texts that are not empty");
  },
};

/**
 * Gemini `parameters`: the message `Schema` of google.ai.generativelanguage. An unknown field fails the whole request. Sources: the
 * message's fields; API errors "only 'enum' and 'date-time' are supported for STRING type", "enum[0]: cannot be empty", "when using any_of,
 * it must be the only field set", "property is not defined" for `required`.
 */
export const geminiOpenApiRules: readonly VendorRule[] = [
  rootIsObject,
  rootWithout("anyOf"),
  onlyKeywords(
    ..."type format title description nullable default enum items minItems maxItems properties required minProperties maxProperties".split(
      " ",
    ),
    ..."minLength maxLength pattern example anyOf propertyOrdering minimum maximum".split(" "),
  ),
  requiredIsDeclared,
  arraysHaveItems,
  formatsAmong("date-time", "enum", "float", "double", "int32", "int64"),
  plainTypes,
];
