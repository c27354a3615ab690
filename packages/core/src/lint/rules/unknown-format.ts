import { formats, nearestNames } from "@toolrack/json-schema/internal";
import { nameOf } from "../located-schemas.ts";
import type { ToolRule } from "../rule.ts";

export const unknownFormat: ToolRule = {
  id: "unknown-format",
  severity: "warning",
  finds: "Formats that are not checked.",
  check({ inputs, outputs }, report) {
    for (const located of [...inputs, ...outputs]) {
      const format = located.schema["format"];
      if (typeof format !== "string" || formats.has(format)) continue;
      const near = nearestNames(format, formats.keys(), 1)[0];
      const fix = near === undefined ? "Say it with pattern, minimum, maximum or maxLength, or in the description." : `Write "${near}".`;
      report(
        `${located.path}/format`,
        `${nameOf(located)} has the format "${format}", which is not checked.`,
        fix,
        near === undefined ? "info" : "warning",
      );
    }
  },
};
