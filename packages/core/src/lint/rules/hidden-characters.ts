import type { ToolRule } from "../rule.ts";

export const hiddenCharacters: ToolRule = {
  id: "hidden-characters",
  severity: "warning",
  finds: "Texts with invisible characters: control characters, changed text direction, zero width, tags.",
  check({ hidden }, report) {
    for (const found of hidden) {
      const [field = "", points = ""] = found.split(": ");
      const path = `/${field.replaceAll(/\[(\d+)\]/g, ".$1").replaceAll(".", "/")}`;
      report(path, `The text contains invisible characters (${points}). They are removed before a model sees it.`, "Remove them.");
    }
  },
};
