import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { nameOf } from "../places.ts";
import type { ToolRule } from "../rule.ts";

export const nullableInsteadOfOptional: ToolRule = {
  id: "nullable-instead-of-optional",
  severity: "warning",
  finds: "Parameters that may be null where leaving them away is meant.",
  check({ properties }, report) {
    for (const place of properties) {
      if (!mayBeNull(place.schema)) continue;
      report(
        place.path,
        `${nameOf(place)} may be null.`,
        "Leave null away and take the parameter out of required, as optional() does; keep null only if it means something else than absence.",
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
