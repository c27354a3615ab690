/** Who may use which tool, and why. */

export { type ApprovalMemory, type ApprovalScope, createApprovalMemory } from "../policy/approvals.ts";
export { type CallDecision, decideCall, type DecideCallInput } from "../policy/calls/decide.ts";
export { type CallRules, compileCallRules, type ConditionRule } from "../policy/calls/rules.ts";
export { type CatalogTool, coreToolCatalog } from "../policy/catalog/catalog.ts";
export { coreToolGroups, type ToolGroups } from "../policy/catalog/groups.ts";
export { coreToolProfiles } from "../policy/catalog/profiles.ts";
export { createCelEngine } from "../policy/conditions/cel.ts";
export type { ConditionEngine } from "../policy/conditions/condition.ts";
export {
  type CallerPolicy,
  type ConfiguredPolicy,
  type PolicyConfigOptions,
  policyFromConfig,
  readPolicyConfig,
} from "../policy/config/config.ts";
export type { PolicyConfig } from "../policy/config/shape.ts";
export { findUnknownNames } from "../policy/config/unknown-names.ts";
export { type DecidedTools, decideTools, type DecideToolsInput } from "../policy/decide/decide.ts";
export { diffPolicies, type PolicyDifference } from "../policy/explain/diff.ts";
export { explainTool, type ToolExplanation } from "../policy/explain/explain.ts";
export { type InheritedTools, inheritTools } from "../policy/gates/inherited.ts";
export type { PathRule } from "../policy/paths/rules.ts";
export type { Decision, PolicyTool, PolicyWarning, RegisteredName, StepId, ToolPolicy, ToolPolicyStep } from "../policy/policy.ts";
export { toSentence } from "../policy/sentence.ts";
export { describeUnknownAgent, toAgentKey, type UnknownAgents } from "../policy/steps/unknown-agents.ts";
export {
  type AssembledTools,
  type AssembleInput,
  assembleTools,
  type AssemblyStage,
  assemblyStages,
  type StageNote,
  type StageTrace,
  type ToolStage,
} from "../registry/assemble.ts";
export type { ToolNeeds } from "../tool/metadata.ts";
