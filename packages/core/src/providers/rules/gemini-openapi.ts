import type { JsonSchema } from "../../schema/schema.ts";
import { arraysHaveItems, eachNode, formatsAmong, onlyKeywords, requiredIsDeclared, rootIsObject, rootWithout } from "./_shared.ts";
import type { VendorRule } from "./rule.ts";

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

const types = ["string", "number", "integer", "boolean", "array", "object"];

function plainTypes(schema: JsonSchema, report: (path: string, keyword: string, message: string) => void): void {
  eachNode(schema, (node, path) => {
    if (Array.isArray(node["anyOf"])) {
      if (Object.keys(node).length > 1) report(path, "anyOf", "anyOf must stand alone");
    } else if (!types.includes(node["type"] as string)) report(path, "type", `one type is needed, of ${types.join(", ")}`);
    const values = node["enum"];
    if (Array.isArray(values) && !values.every((value) => typeof value === "string" && value !== "")) {
      report(path, "enum", "listed values must be texts that are not empty");
    }
  });
}
