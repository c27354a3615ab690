// The public names of @toolrack/core, one by one: adding a line here is a decision.

export {
  errorCodes,
  type ErrorCode,
  refusalCodes,
  ToolAuthorizationError,
  ToolError,
  type ToolErrorOptions,
  ToolInputError,
} from "./errors.ts";

// Tools
export { type ApiTool, executeTool, exportForApi, findTool } from "./tool/array.ts";
export type { AgentTool } from "./tool/agent-tool.ts";
export { BaseTool, type ClassTool } from "./tool/base-tool.ts";
export { blogAgentBundle, codeAgentBundle, defineBundle, type ToolBundle } from "./tool/bundle.ts";
export type { Answer, AskRequest, CallContext, Caller, Logger, PathCheck, Progress } from "./tool/context.ts";
export { type LegacyTool, wrapLegacyTool } from "./tool/legacy.ts";
export {
  standardCategories,
  type ToolAnnotations,
  type ToolExample,
  type ToolLimits,
  type ToolMetadata,
  type ToolOptionality,
} from "./tool/metadata.ts";
export { normalizeToolName } from "./tool/name.ts";
export {
  type ApprovalTicket,
  type CallMeta,
  type ContentBlock,
  type Effect,
  type HandlerResult,
  type HandlerReturn,
  type StructuredResult,
  type ToolFailure,
  type ToolResult,
  type ToolSuccess,
  toStructured,
} from "./tool/result.ts";
export type { AnyTool } from "./tool/shapes.ts";
export { defineTool, hiddenTextOf, type ToolDefinition } from "./tool/tool.ts";

export { cleanResultText, cleanText, hiddenIn } from "./util/hidden-text.ts";

// Schemas and parameters
export type { InferInput } from "./tool/infer-input.ts";
export {
  type InferSchema,
  type Issue,
  type JsonSchema,
  normalizeSchema,
  type NormalSchema,
  type SchemaChange,
  type Validated,
  type ValidateOptions,
  validateValue,
} from "@toolrack/json-schema";
export {
  type ObjectSchema,
  objectSchema,
  optional,
  type OptionalSchema,
  optionalStringEnum,
  type StringEnum,
  stringEnum,
  type StringEnumOptions,
} from "./tool/schema-helpers.ts";
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
} from "./tool/params.ts";

// Lint
export { type LintOptions, lintRules, lintTool, lintTools } from "./lint/lint.ts";
export { defineLintRule } from "./lint/define-rule.ts";
export type { SchemaPlace } from "./lint/places.ts";
export type { Finding, LintRule, ListRule, Report as LintReport, RuleDescription, Severity, ToolRule } from "./lint/rule.ts";
export type { LintSubject } from "./lint/subject.ts";

// Vendors
export { type AdaptedSchema, type AdaptOptions, adaptSchema } from "./providers/adapt/adapt.ts";
export { type AdaptContext, type AdaptPass, nodePass, type NodePass, type NodeVisit } from "./providers/adapt/pass.ts";
export { looseSchema, plainNodePasses } from "./providers/adapt/presets.ts";
export { schemaPasses } from "./providers/adapt/schema-passes.ts";
export type { ShapeRules } from "./providers/adapt/shape/shaper.ts";
export { defineProvider } from "./providers/define-provider.ts";
export { chatLimits, chatWire } from "./providers/format/chat.ts";
export type { Loss } from "./providers/loss.ts";
export type {
  AnsweredCall,
  Provider,
  ProviderLimits,
  ProviderSchema,
  ProviderToolSearch,
  ProviderWire,
  StrictMode,
  ToolCall,
  ToolChoice,
  WireCall,
  WireChoice,
  WireTool,
} from "./providers/provider.ts";
export {
  providerFor,
  type ProviderTarget,
  providerTargets,
  type SchemaTarget,
  schemaTargets,
  type VendorTarget,
} from "./providers/providers.ts";
export { chatRules } from "./providers/rules/common.ts";
export { vendorRules } from "./providers/rules/vendor-rules.ts";
export type { NodeRule, VendorRule, Violation, WholeRule } from "./providers/rules/rule.ts";
export { checkVendorSchema } from "./providers/rules/rules.ts";
export { readCalls, type SpellingOptions, writeChoice, writeResults } from "./providers/wire/calls.ts";
export { cleanToolSchemaForGemini, normalizeToolParameters, patchToolSchemaForClaudeCompatibility } from "./providers/wire/compat.ts";
export type { ExportDiagnostic, ExportOptions } from "./providers/wire/compile.ts";
export { exportDeferred, writeFoundTools } from "./providers/wire/deferred.ts";
export { type ExportedTools, exportTools, type ToolLoss } from "./providers/wire/export.ts";
export { type ExportBudget, type FitOptions, fitTools, type FittedTools } from "./fit-tools.ts";
export type { CallTool, FrameworkOptions } from "./providers/wire/frameworks/_shared.ts";
export { toAiSdk } from "./providers/wire/frameworks/ai-sdk.ts";
export { toLangChain } from "./providers/wire/frameworks/langchain.ts";
export { toMastra } from "./providers/wire/frameworks/mastra.ts";
export { toOpenAIAgents } from "./providers/wire/frameworks/openai-agents.ts";

// Grammars, prompts and local models
export { type CallForm, nameForm, toolForm } from "./grammar/call-form.ts";
export {
  type BackendCapabilities,
  backends,
  type Constraint,
  type ConstraintMode,
  type ResolvedConstraint,
  resolveConstraint,
} from "./grammar/constraint.ts";
export { grammarInThread, type InThreadOptions } from "./grammar/in-thread.ts";
export { type GrammarOptions, type GrammarReport, toGbnf, toGbnfWithReport } from "./grammar/gbnf.ts";
export { toLark, toolCallLark, toolCallLarkWithReport } from "./grammar/lark.ts";
export type { GrammarLoss } from "./grammar/loss.ts";
export {
  type StructuralTag,
  type StructuralTagReport,
  toolCallStructuralTag,
  toolCallStructuralTagWithReport,
} from "./grammar/structural-tag.ts";
export { toolCallSchema } from "./grammar/tool-call-schema.ts";
export { type CallableTool, toolCallGrammar, type ToolCallGrammarOptions, toolCallGrammarWithReport } from "./grammar/tool-call.ts";
export { type BiasOptions, type CallState as BiasState, toLogitBias, type ToolBias, toolBias } from "./prompt/bias.ts";
export type { FoundCall } from "./prompt/call-shape.ts";
export { defineDialect } from "./prompt/define-dialect.ts";
export { dialectParts } from "./prompt/dialect-parts.ts";
export type { Dialect, DialectCall, DialectForm, DialectResult, DialectTool } from "./prompt/dialects/dialect.ts";
export { detectModelFamily, dialectFor, type DialectOptions, dialects, type ModelFamily } from "./prompt/dialects/dialects.ts";
export type { PromptTool } from "./prompt/entries.ts";
export { findToolCalls, type FindOptions, type FoundCalls } from "./prompt/find-calls.ts";
export { defaultCompletionSignal, isTaskComplete } from "./prompt/parts.ts";
export { type PromptSection, type PromptSectionOptions, type PromptTier, toolSection } from "./prompt/section.ts";
export { selectTools, type TaskContext } from "./prompt/select.ts";
export { estimateTokens } from "./prompt/tokens.ts";

// Policy
export { type ApprovalMemory, type ApprovalScope, createApprovalMemory } from "./policy/approvals.ts";
export { type CallRules, type ConditionRule, compileCallRules } from "./policy/calls/rules.ts";
export { type CatalogTool, coreToolCatalog } from "./policy/catalog/catalog.ts";
export { createCelEngine } from "./policy/conditions/cel.ts";
export type { ConditionEngine } from "./policy/conditions/condition.ts";
export {
  type CallerPolicy,
  type ConfiguredPolicy,
  policyFromConfig,
  type PolicyConfigOptions,
  readPolicyConfig,
} from "./policy/config/config.ts";
export type { PolicyConfig } from "./policy/config/shape.ts";
export { type CallDecision, decideCall, type DecideCallInput } from "./policy/calls/decide.ts";
export { type DecidedTools, type DecideToolsInput, decideTools } from "./policy/decide/decide.ts";
export { type PolicyDifference, diffPolicies } from "./policy/explain/diff.ts";
export { describeUnknownAgent, toAgentKey, type UnknownAgents } from "./policy/steps/unknown-agents.ts";
export { explainTool, type ToolExplanation } from "./policy/explain/explain.ts";
export { coreToolGroups, type ToolGroups } from "./policy/catalog/groups.ts";
export type { PathRule } from "./policy/paths/rules.ts";
export { applyToolPolicyPipeline } from "./policy/decide/pipeline.ts";
export type { Decision, PolicyTool, PolicyWarning, StepId, ToolPolicy, ToolPolicyStep } from "./policy/policy.ts";
export { coreToolProfiles, resolveCoreToolProfilePolicy } from "./policy/catalog/profiles.ts";
export { createPathResolver, type PathResolver } from "./policy/paths/resolve.ts";
export { toSentence } from "./policy/sentence.ts";
export { buildDefaultToolPolicyPipelineSteps } from "./policy/steps/steps.ts";

// Search
export type { Embedder, EmbeddingCache } from "./search/embedder.ts";
export type { HitReason, SearchableTool, SearchField, SearchOptions, ToolHit } from "./search/search.ts";
export { searchTools, type SearchToolsOptions } from "./search/search-tools.ts";
export { createSemanticIndex, type SemanticIndex, type SemanticIndexOptions } from "./search/semantic-index.ts";
export { createToolIndex, type ToolIndex, type ToolIndexOptions } from "./search/tool-index.ts";
export { createSearchUsage, type SearchUsage, type UsageOptions } from "./search/usage.ts";

// The registry and the call
export {
  type AssembledTools,
  type AssembleInput,
  type AssemblyStage,
  assemblyStages,
  assembleTools,
  type StageTrace,
} from "./registry/assemble.ts";
export { createRegistry } from "./registry/create.ts";
export { createMetaTools, metaToolNames, type MetaToolOptions, type SearchableRegistry } from "./registry/meta-tools.ts";
export type { RegistryOptions, ServicesRequest } from "./registry/options.ts";
export type {
  BundleTools,
  MergeReport,
  RegisterOptions,
  Registry,
  RegistryEntry,
  ToolCallRequest,
  ToolDescription,
} from "./registry/registry.ts";
export { type Capabilities, type CapabilityCheck, type CapabilityOptions, createCapabilities } from "./registry/capabilities.ts";
export type { RegistryView } from "./registry/permission.ts";
export type { ToolState } from "./registry/availability.ts";
export { type AddedWrapper, type WrapperPosition, wrapperPositions } from "./call/added-wrappers.ts";
export type { CallLimits } from "./call/chain.ts";
export type { AfterCallHook, BeforeCallHook, HookDecision, HookedCall } from "./call/hooks.ts";
export type { InvokeOptions } from "./call/host.ts";
export type { Approval, ApprovalRequest, Approver } from "./call/ports/approver.ts";
export { type ConfigPort, createMemoryConfig } from "./call/ports/config.ts";
export { type CallRecord, type CallStart, createMemoryRecorder, type Recorder } from "./call/ports/recorder.ts";
export { createMemorySecrets, type SecretRequest, type SecretsPort } from "./call/ports/secrets.ts";
export {
  applyOwnerOnlyToolPolicy,
  sanitizeToolResultImages,
  withWrapper,
  wrapToolParamNormalization,
  wrapToolWithAbortSignal,
  wrapToolWithBeforeToolCallHook,
  wrapToolWorkspaceRootGuard,
} from "./call/wrap-tool.ts";
export type { Call, Run, Wrapper } from "./call/wrapper.ts";
export { type Boundary, createBoundary } from "./util/boundary.ts";
export { openInside, type OpenInsideFlags, type OpenInsideOptions } from "./util/open-inside.ts";
export { createHiddenPaths, type HiddenPaths } from "./util/path-hidden.ts";
export { type InsideResult, resolveInside, type RootCheck } from "./util/path-inside.ts";
export { type Clock, systemClock } from "./util/clock.ts";
export { heavyTurn } from "./util/heavy-turn.ts";

// Events and sources
export type { EventListener, EventType, ToolEvent } from "./events.ts";
export { codeSource } from "./sources/code.ts";
export type { SourceStatus, ToolSource } from "./sources/source.ts";
export { getPluginToolMeta, type LoadedPlugins, loadPlugins, type LoadPluginsOptions } from "./sources/plugin.ts";
export type { PluginApi, PluginDiagnostic, PluginModule, PluginReference, PluginToolFactory } from "./sources/plugin/api.ts";
