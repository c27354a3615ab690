import { isObject, type JsonObject, localTarget } from "@toolrack/json-schema/internal";
import { nameOf } from "../located-schemas.ts";
import type { ToolRule } from "../rule.ts";

export const missingDescription: ToolRule = {
  id: "missing-description",
  severity: "warning",
  finds: "Tools and parameters without a description: a model has to guess what they are for.",
  check({ description, input, inputs, properties, parameters }, report) {
    if (description.trim() === "") {
      report("/description", "The tool has no description.", "Say in one or two sentences what it does and when to use it.", "error");
    }
    const described = new Set(inputs.filter((located) => isDescribed(located.schema, input)).map((located) => located.label));
    const outermost = new Set(parameters);
    for (const located of properties) {
      if (described.has(located.label)) continue;
      const severity = outermost.has(located) ? "warning" : "info";
      report(
        `${located.path}/description`,
        `${nameOf(located)} has no description.`,
        "Say what it means, in which unit or form, and give a typical value.",
        severity,
      );
    }
  },
};

function isDescribed(schema: JsonObject, root: JsonObject | undefined): boolean {
  if (isText(schema["description"])) return true;
  const target = typeof schema["$ref"] === "string" ? localTarget(schema["$ref"], root) : undefined;
  return isObject(target) && isText(target["description"]);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}
