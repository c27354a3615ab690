import { isObject } from "@toolrack/json-schema/internal";
import { nameOf } from "../located-schemas.ts";
import type { ToolRule } from "../rule.ts";

export const union: ToolRule = {
  id: "union",
  severity: "warning",
  finds: "Unions in inputs (anyOf, oneOf, several types), which several vendors refuse or flatten.",
  check({ inputs }, report) {
    for (const located of inputs) {
      for (const keyword of ["anyOf", "oneOf"]) {
        const branches = Array.isArray(located.schema[keyword]) ? located.schema[keyword].filter((branch) => !isNull(branch)) : [];
        if (branches.length < 2) continue;
        const isChoice = branches.every((branch) => isObject(branch) && typeof branch["const"] === "string");
        const fix = isChoice
          ? 'Write { type: "string", enum: […] }, as stringEnum does.'
          : "Take one type, or one object with optional properties; split the tool if the cases have little in common.";
        report(`${located.path}/${keyword}`, `${nameOf(located)} is a union of ${branches.length} schemas (${keyword}).`, fix);
      }
      const types = Array.isArray(located.schema["type"]) ? located.schema["type"].filter((type) => type !== "null") : [];
      if (types.length > 1)
        report(`${located.path}/type`, `${nameOf(located)} has the types ${types.join(", ")}.`, "Take the one that models should send.");
    }
  },
};

function isNull(branch: unknown): boolean {
  return isObject(branch) && (branch["type"] === "null" || branch["const"] === null);
}
