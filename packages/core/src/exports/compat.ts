/** Names and forms of earlier libraries, for programs that move here. */

export {
  applyOwnerOnlyToolPolicy,
  sanitizeToolResultImages,
  wrapToolParamNormalization,
  wrapToolWithAbortSignal,
  wrapToolWithBeforeToolCallHook,
  wrapToolWorkspaceRootGuard,
} from "../call/wrap-tool.ts";
export { type ExtendedToolRegistry, NewToolRegistry, type ToolRegistryListener } from "../compat/extended-registry.ts";
export {
  type ExtendedTool,
  type ExtendedToolMetadata,
  fromExtendedTool,
  SimpleExtendedTool,
  ToolConditional,
  ToolOptional,
  ToolRequired,
} from "../compat/extended-tool.ts";
export { type ChannelWithTools, includeInOpenClawGroup, listChannelAgentTools } from "../compat/open-claw.ts";
export { ToolRegistry } from "../compat/tool-registry.ts";
export { resolveCoreToolProfilePolicy } from "../policy/catalog/profiles.ts";
export { applyToolPolicyPipeline } from "../policy/decide/pipeline.ts";
export type { ToolPolicy as ToolPolicyLike, ToolPolicyStep as ToolPolicyPipelineStep } from "../policy/policy.ts";
export { buildDefaultToolPolicyPipelineSteps } from "../policy/steps/steps.ts";
export { cleanToolSchemaForGemini, normalizeToolParameters, patchToolSchemaForClaudeCompatibility } from "../providers/wire/compat.ts";
export type { RegistryExport, RegistryExportOptions, RegistrySearchOptions } from "../registry/former-types.ts";
export { getPluginToolMeta } from "../sources/plugin/tool-meta.ts";
export type { AgentTool, AgentTool as AnyAgentTool, AgentToolResult } from "../tool/agent-tool.ts";
export { BaseTool, type ClassTool } from "../tool/base-tool.ts";
export {
  blogAgentBundle,
  blogAgentBundle as BlogAgentBundle,
  codeAgentBundle,
  codeAgentBundle as CodeAgentBundle,
} from "../tool/bundle.ts";
export { type LegacyTool, wrapLegacyTool } from "../tool/legacy.ts";
export { normalizeToolName } from "../tool/name.ts";
export {
  type ActionGate,
  createActionGate,
  type NumberParamOptions,
  type ParamOptions,
  type Params,
  readBooleanParam,
  readNumberParam,
  readParamRaw,
  readStringArrayParam,
  readStringOrNumberParam,
  readStringParam,
  type StringParamOptions,
  toSnakeCaseKey,
} from "../tool/params.ts";
export { withoutActions } from "../tool/without-actions.ts";
