import { isObject, type JsonObject, localTarget } from "@toolrack/json-schema/internal";
import { nameOf } from "../places.ts";
import type { ToolRule } from "../rule.ts";

export const missingDescription: ToolRule = {
  id: "missing-description",
  severity: "warning",
  finds: "Tools and parameters without a description: a model has to guess what they are for.",
  check({ description, input, inputs, properties, parameters }, report) {
    if (description.trim() === "") {
      report("/description", "The tool has no description.", "Say in one or two sentences what it does and when to use it.", "error");
    }
    const described = new Set(inputs.filter((place) => isDescribed(place.schema, input)).map((place) => place.label));
    const outermost = new Set(parameters);
    for (const place of properties) {
      if (described.has(place.label)) continue;
      const severity = outermost.has(place) ? "warning" : "info";
      report(
        `${place.path}/description`,
        `${nameOf(place)} has no description.`,
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
