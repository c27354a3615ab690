import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { nameOf } from "../located-schemas.ts";
import type { ToolRule } from "../rule.ts";

export const nullableInsteadOfOptional: ToolRule = {
  id: "nullable-instead-of-optional",
  severity: "warning",
  finds: "Parameters that may be null where leaving them away is meant.",
  check({ properties }, report) {
    for (const located of properties) {
      if (!mayBeNull(located.schema)) continue;
      report(
        located.path,
        `${nameOf(located)} may be null.`,
        "Remove null and take the parameter out of required, as optional() does. Keep null only if it means something other than absent.",
      );
    }
  },
};

function mayBeNull(schema: JsonObject): boolean {
  if (schema["nullable"] === true) return true;
  if (Array.isArray(schema["type"]) && schema["type"].includes("null") && schema["type"].length > 1) return true;
  if (Array.isArray(schema["enum"]) && schema["enum"].includes(null)) return true;
  return [schema["anyOf"], schema["oneOf"]].some(
    (branches) =>
      Array.isArray(branches) && branches.some((branch) => isObject(branch) && (branch["type"] === "null" || branch["const"] === null)),
  );
}
