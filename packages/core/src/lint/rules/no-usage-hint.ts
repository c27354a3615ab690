import type { ToolRule } from "../rule.ts";

export const noUsageHint: ToolRule = {
  id: "no-usage-hint",
  severity: "info",
  finds: "Tools that do not say when to reach for them.",
  check({ metadata }, report) {
    if (typeof metadata["usageHint"] === "string" && metadata["usageHint"].trim() !== "") return;
    report("/metadata/usageHint", "The tool has no usage hint.", "Say when to use this tool rather than another.");
  },
};
