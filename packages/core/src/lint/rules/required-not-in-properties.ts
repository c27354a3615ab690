import { isObject, nearestNames } from "@toolrack/json-schema/internal";
import { nameOf, type LocatedSchema } from "../located-schemas.ts";
import type { ToolRule, Report } from "../rule.ts";

export const requiredNotInProperties: ToolRule = {
  id: "required-not-in-properties",
  severity: "error",
  finds: "Names under `required` that are not among the properties.",
  check({ inputs, outputs }, report) {
    checkRequired(inputs, report);
    checkRequired(outputs, report);
  },
};

function checkRequired(found: readonly LocatedSchema[], report: Report): void {
  // Conditions such as `then` share a label with the schema around them, and may require what that one describes.
  const known = new Map<string, Set<string>>();
  const open = new Set<string>();
  for (const { schema, label } of found) {
    const names = known.get(label) ?? new Set();
    known.set(label, names);
    if (isObject(schema["properties"])) for (const name of Object.keys(schema["properties"])) names.add(name);
    if (["$ref", "$dynamicRef", "patternProperties"].some((keyword) => Object.hasOwn(schema, keyword))) open.add(label);
    if (isObject(schema["additionalProperties"])) open.add(label);
  }
  for (const located of found) {
    const { required } = located.schema;
    if (!Array.isArray(required) || open.has(located.label)) continue;
    const names = known.get(located.label)!;
    for (const [index, name] of required.entries()) {
      if (typeof name !== "string" || names.has(name)) continue;
      const near = nearestNames(name, names, 1)[0];
      const fix =
        near === undefined ? `Describe "${name}" under properties, or take it out of required.` : `Write "${near}", or describe "${name}".`;
      report(`${located.path}/required/${index}`, `${nameOf(located)} requires "${name}", which is not among its properties.`, fix);
    }
  }
}
