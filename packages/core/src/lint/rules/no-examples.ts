import type { ToolRule } from "../rule.ts";

export const noExamples: ToolRule = {
  id: "no-examples",
  severity: "info",
  finds: "Tools with parameters and without examples.",
  check({ parameters, metadata }, report) {
    const isEmpty = !Array.isArray(metadata["examples"]) || metadata["examples"].length === 0;
    if (isEmpty && parameters.length > 0)
      report(
        "/metadata/examples",
        "The tool has no examples.",
        "Add one or two calls as { description, input, output }: models follow them.",
      );
  },
};
