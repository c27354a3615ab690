import { type DecidedTools, decideTools } from "./decide.ts";
import type { ToolGroups } from "../catalog/groups.ts";
import type { PolicyTool, ToolPolicyStep } from "../policy.ts";

export interface ToolPolicyPipelineInput<Tool extends PolicyTool = PolicyTool> {
  readonly tools: readonly Tool[];
  readonly steps: readonly ToolPolicyStep[];
  /** Groups beside those of the catalog. */
  readonly groups?: ToolGroups;
}

/**
 * Folds the steps over the tools, and nothing else: what a tool asks of its caller (its owner, a model, a condition) is decided
 * by `decideTools`, of which this is the plain case. No steps, no restriction.
 */
export function applyToolPolicyPipeline<Tool extends PolicyTool>(input: ToolPolicyPipelineInput<Tool>): DecidedTools<Tool> {
  const { tools, steps, groups } = input;
  return decideTools({ tools, steps, groups, gates: [] });
}
