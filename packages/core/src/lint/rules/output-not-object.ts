import type { ToolRule } from "../rule.ts";

export const outputNotObject: ToolRule = {
  id: "output-not-object",
  severity: "warning",
  finds: "Output schemas that are not objects: MCP and some vendors take structured output only as an object.",
  check({ output }, report) {
    if (output === undefined || output["type"] === "object") return;
    report(
      "/outputSchema/type",
      `The output schema is not of type "object"${output["type"] === undefined ? "" : ` but ${JSON.stringify(output["type"])}`}.`,
      'Wrap it: { type: "object", properties: { items: … }, required: ["items"] }.',
    );
  },
};
