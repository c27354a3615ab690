import { nameOf } from "../located-schemas.ts";
import type { ToolRule } from "../rule.ts";

export const propertyNamedFormat: ToolRule = {
  id: "property-named-format",
  severity: "warning",
  finds: "Properties named `format`, which some validators and vendors take for the keyword.",
  check({ properties }, report) {
    for (const located of properties) {
      if (located.property === "format")
        report(
          located.path,
          `${nameOf(located)} has the name of a keyword.`,
          'Name it after what it formats: "output_format", "date_format".',
        );
    }
  },
};
