import type { ToolRule } from "../rule.ts";

const least = 20;

export const descriptionTooShort: ToolRule = {
  id: "description-too-short",
  severity: "warning",
  finds: `Descriptions of tools with fewer than ${least} characters.`,
  check({ description }, report) {
    const { length } = description.trim();
    if (length === 0 || length >= least) return;
    report(
      "/description",
      `The description has only ${length} character${length === 1 ? "" : "s"}.`,
      "Say what the tool does, when to use it, and what it returns.",
    );
  },
};
