import type { ToolRule } from "../rule.ts";

export const hiddenCharacters: ToolRule = {
  id: "hidden-characters",
  severity: "warning",
  finds: "Texts with characters that nobody sees: controls, turned directions, zero widths, tags.",
  check({ hidden }, report) {
    for (const found of hidden) {
      const [field = "", points = ""] = found.split(": ");
      const path = `/${field.replaceAll(/\[(\d+)\]/g, ".$1").replaceAll(".", "/")}`;
      report(path, `The text holds characters that nobody sees (${points}). Models are shown it without them.`, "Remove them.");
    }
  },
};
