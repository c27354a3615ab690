/** Who may use which tool, and why. */

export { type ApprovalMemory, type ApprovalScope, createApprovalMemory } from "../policy/approvals.ts";
export { type CallRules, compileCallRules, type ConditionRule } from "../policy/call-rules.ts";
export { type CatalogTool, coreToolCatalog } from "../policy/catalog.ts";
export { createCelEngine } from "../policy/cel.ts";
export type { ConditionEngine } from "../policy/condition.ts";
export type { PolicyConfig } from "../policy/config-shape.ts";
export {
  type CallerPolicy,
  type ConfiguredPolicy,
  type PolicyConfigOptions,
  policyFromConfig,
  readPolicyConfig,
} from "../policy/config.ts";
export { type CallDecision, decideCall, type DecideCallInput } from "../policy/decide-call.ts";
export { type DecidedTools, decideTools, type DecideToolsInput } from "../policy/decide.ts";
export { diffPolicies, type PolicyDifference } from "../policy/diff.ts";
export { explainTool, type ToolExplanation } from "../policy/explain.ts";
export { coreToolGroups, type ToolGroups } from "../policy/groups.ts";
export type { PathRule } from "../policy/path-rules.ts";
export type { Decision, PolicyTool, PolicyWarning, StepId, ToolPolicy, ToolPolicyStep } from "../policy/policy.ts";
export { coreToolProfiles } from "../policy/profiles.ts";
export { toSentence } from "../policy/sentences.ts";
export { describeUnknownAgent, toAgentKey, type UnknownAgents } from "../policy/unknown-agents.ts";
export {
  type AssembledTools,
  type AssembleInput,
  assembleTools,
  type AssemblyStage,
  assemblyStages,
  type StageTrace,
} from "../registry/assemble.ts";
