import { type DecideToolsInput, policyParts } from "../decide/decide.ts";
import { indexTools } from "../entries/indexed-tools.ts";
import { explainWith, type ToolExplanation } from "./explain-with.ts";

/** Why a caller may or may not use a tool, from the same evaluation that decides it. */
export function explainTool(name: string, input: DecideToolsInput): ToolExplanation {
  return explainWith(name, [indexTools(input.tools)], input, policyParts);
}

export type { ToolExplanation };
