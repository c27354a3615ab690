import { toSnakeCaseKey } from "../../tool/params.ts";
import type { LocatedSchema } from "../located-schemas.ts";
import type { ToolRule } from "../rule.ts";

export const parameterTwins: ToolRule = {
  id: "parameter-twins",
  severity: "warning",
  finds: "Two spellings of one parameter side by side: sessionKey and session_key.",
  check({ inputs }, report) {
    const siblings = new Map<LocatedSchema | undefined, Map<string, string>>();
    for (const { property, parent, path } of inputs) {
      if (property === undefined) continue;
      const known = siblings.get(parent) ?? new Map<string, string>();
      siblings.set(parent, known);
      const folded = toSnakeCaseKey(property).replace(/[-_]/g, "");
      const twin = known.get(folded);
      if (twin === undefined) known.set(folded, property);
      else
        report(
          path,
          `"${property}" and "${twin}" are two spellings of one name.`,
          "Keep one of them; a call may use either spelling, and metadata.aliases takes further ones.",
        );
    }
  },
};
