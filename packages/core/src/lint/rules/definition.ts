import type { ToolRule } from "../rule.ts";

export const definition: ToolRule = {
  id: "definition",
  severity: "error",
  finds: "Tools that would be refused when they are registered.",
  check({ refusal }, report) {
    if (refusal !== undefined) report("", refusal, "Correct the definition; a tool is { name, description, inputSchema, handler }.");
  },
};
