import { nameOf } from "../places.ts";
import type { ToolRule } from "../rule.ts";

export const propertyNamedFormat: ToolRule = {
  id: "property-named-format",
  severity: "warning",
  finds: "Properties named `format`, which some validators and vendors take for the keyword.",
  check({ properties }, report) {
    for (const place of properties) {
      if (place.property === "format")
        report(place.path, `${nameOf(place)} has the name of a keyword.`, 'Name it after what it formats: "output_format", "date_format".');
    }
  },
};
