import { type DecidedTools, policyParts } from "./decide.ts";
import { decideWith, type DecisionParts } from "./decide-with.ts";
import { findListWarnings } from "./warnings.ts";
import type { ToolGroups } from "../catalog/groups.ts";
import type { PolicyTool, ToolPolicyStep } from "../policy.ts";

export interface ToolPolicyPipelineInput<Tool extends PolicyTool = PolicyTool> {
  readonly tools: readonly Tool[];
  readonly steps: readonly ToolPolicyStep[];
  /** Groups in addition to those of the catalog. */
  readonly groups?: ToolGroups;
}

/**
 * Applies the steps to the tools, and nothing else: what a tool requires of its caller (the owner, a model, a condition) is checked
 * by `decideTools`, of which this is the simple case. No steps, no restriction. Its warnings are about each list alone.
 */
export function applyToolPolicyPipeline<Tool extends PolicyTool>(input: ToolPolicyPipelineInput<Tool>): DecidedTools<Tool> {
  const { tools, steps, groups } = input;
  return decideWith({ tools, steps, groups, gates: [] }, listParts);
}

const listParts: DecisionParts = { ...policyParts, findWarnings: findListWarnings };
