// The public names of @toolrack/core, one by one: adding a line here is a decision.

export {
  type ErrorCode,
  errorCodes,
  refusalCodes,
  ToolAuthorizationError,
  ToolError,
  type ToolErrorOptions,
  ToolInputError,
} from "./errors.ts";

// Tools
export { defineBundle, type ToolBundle } from "./tool/bundle.ts";
export type { Answer, AskRequest, CallContext, Caller, Logger, PathCheck, Progress } from "./tool/context.ts";
export {
  standardCategories,
  type ToolAnnotations,
  type ToolExample,
  type ToolLimits,
  type ToolMetadata,
  type ToolOptionality,
} from "./tool/metadata.ts";
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
export { defineTool, type ToolDefinition } from "./tool/tool.ts";

// Schemas and parameters
export type { InferInput } from "./tool/infer-input.ts";
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
export type { Finding, RuleDescription, Severity } from "./lint/rule.ts";

// Vendors
export { type AdaptedSchema, type AdaptOptions, adaptSchema } from "./providers/adapt/adapt.ts";
export {
  type Loss,
  type Provider,
  type ProviderLimits,
  type ProviderTarget,
  type SchemaTarget,
  schemaTargets,
  type ToolCall,
  type ToolChoice,
} from "./providers/provider.ts";
export { providerFor, providerTargets } from "./providers/providers.ts";
export type { Violation } from "./providers/rules/rule.ts";
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
export type { Dialect, DialectCall, DialectForm, DialectResult, DialectTool, ModelFamily } from "./prompt/dialects/dialect.ts";
export { dialectFor, dialects } from "./prompt/dialects/dialects.ts";
export type { PromptTool } from "./prompt/entries.ts";
export { findToolCalls, type FindOptions, type FoundCalls } from "./prompt/find-calls.ts";
export { detectModelFamily } from "./prompt/model-family.ts";
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
export type { CallLimits } from "./call/chain.ts";
export type { AfterCallHook, BeforeCallHook, HookDecision, HookedCall } from "./call/hooks.ts";
export type { InvokeOptions } from "./call/host.ts";
export type { Approval, ApprovalRequest, Approver } from "./call/ports/approver.ts";
export { type ConfigPort, createMemoryConfig } from "./call/ports/config.ts";
export { type CallRecord, type CallStart, createMemoryRecorder, type Recorder } from "./call/ports/recorder.ts";
export { createMemorySecrets, type SecretRequest, type SecretsPort } from "./call/ports/secrets.ts";
export { withWrapper } from "./call/wrap-tool.ts";
export type { Call, Run, Wrapper } from "./call/wrapper.ts";
export { type Clock, systemClock } from "./util/clock.ts";

// Events and sources
export type { EventListener, EventType, ToolEvent } from "./events.ts";
export { codeSource } from "./sources/code.ts";
export type { SourceStatus, ToolSource } from "./sources/source.ts";
