import type { ToolRule } from "../rule.ts";

/** What OpenAI takes for a function. */
const most = 1_024;

export const descriptionTooLong: ToolRule = {
  id: "description-too-long",
  severity: "warning",
  finds: `Descriptions of tools with more than ${most} characters, which some vendors cut or refuse.`,
  check({ description }, report) {
    if (description.length <= most) return;
    const message = `The description has ${description.length} characters, and some vendors take ${most}.`;
    report(
      "/description",
      message,
      "Keep what helps to choose the tool; move advice to metadata.usageHint and cases to metadata.examples.",
    );
  },
};
