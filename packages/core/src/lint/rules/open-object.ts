import { isObject } from "@toolrack/json-schema/internal";
import { nameOf, type SchemaPlace } from "../places.ts";
import type { ToolRule } from "../rule.ts";

export const openObject: ToolRule = {
  id: "open-object",
  severity: "info",
  finds: "Objects that let undeclared properties pass: a misspelt parameter goes unnoticed.",
  check({ inputs }, report) {
    for (const place of inputs) {
      if (!isWholeObject(place) || closing.some((keyword) => Object.hasOwn(place.schema, keyword))) continue;
      const keyword = combining.some((name) => Object.hasOwn(place.schema, name)) ? "unevaluatedProperties" : "additionalProperties";
      report(
        place.path,
        `${nameOf(place)} does not say whether further properties are allowed.`,
        `Add ${keyword}: false, or a schema for them.`,
      );
    }
  },
};

const closing = ["additionalProperties", "unevaluatedProperties", "patternProperties"] as const;
const combining = ["$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"] as const;

/** A schema that describes an object on its own. One inside `allOf` shares its label with the schema around it, and must stay open. */
function isWholeObject({ schema, label, parent }: SchemaPlace): boolean {
  return schema["type"] === "object" && isObject(schema["properties"]) && parent?.label !== label;
}
