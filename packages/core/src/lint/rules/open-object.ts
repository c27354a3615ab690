import { isObject } from "@toolrack/json-schema/internal";
import { nameOf, type LocatedSchema } from "../located-schemas.ts";
import type { ToolRule } from "../rule.ts";

export const openObject: ToolRule = {
  id: "open-object",
  severity: "info",
  finds: "Objects that let undeclared properties pass: a misspelt parameter goes unnoticed.",
  check({ inputs }, report) {
    for (const located of inputs) {
      if (!isWholeObject(located) || closing.some((keyword) => Object.hasOwn(located.schema, keyword))) continue;
      const keyword = combining.some((name) => Object.hasOwn(located.schema, name)) ? "unevaluatedProperties" : "additionalProperties";
      report(
        located.path,
        `${nameOf(located)} does not say whether further properties are allowed.`,
        `Add ${keyword}: false, or a schema for them.`,
      );
    }
  },
};

const closing = ["additionalProperties", "unevaluatedProperties", "patternProperties"] as const;
const combining = ["$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"] as const;

/** A schema that describes an object on its own. One inside `allOf` shares its label with the schema around it, and must stay open. */
function isWholeObject({ schema, label, parent }: LocatedSchema): boolean {
  return schema["type"] === "object" && isObject(schema["properties"]) && parent?.label !== label;
}
