/** Tools in the form of a model vendor or of a framework, and the calls and results that go with them. */

export { type AdaptedSchema, adaptSchema } from "../providers/adapt/adapt.ts";
export type { AdaptOptions } from "../providers/adapt/options.ts";
export { type AdaptContext, type AdaptPass, type NodePass, nodePass, type NodeVisit } from "../providers/adapt/pass.ts";
export { looseSchema, plainNodePasses } from "../providers/adapt/presets.ts";
export { schemaPasses } from "../providers/adapt/schema-passes.ts";
export type { ShapeRules } from "../providers/adapt/shape/shaper.ts";
export { defineProvider } from "../providers/define-provider.ts";
export { chatLimits, chatWire } from "../providers/format/chat.ts";
export type { Loss } from "../providers/loss.ts";
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
} from "../providers/provider.ts";
export {
  providerFor,
  type ProviderTarget,
  providerTargets,
  type SchemaTarget,
  type ShapesOf,
  type TargetShapes,
  schemaTargets,
  type VendorTarget,
} from "../providers/providers.ts";
export { chatRules } from "../providers/rules/common.ts";
export type { NodeRule, VendorRule, Violation, WholeRule } from "../providers/rules/rule.ts";
export { checkVendorSchema } from "../providers/rules/rules.ts";
export { vendorRules } from "../providers/rules/vendor-rules.ts";
export type { ChatShapes } from "../providers/shapes/chat.ts";
export type { WireShapes } from "../providers/shapes/shapes.ts";
export { readCalls, type SpellingOptions, writeChoice, writeResults } from "../providers/wire/calls.ts";
export type { ExportDiagnostic } from "../providers/wire/compile.ts";
export type { ExportOptions } from "../providers/wire/options.ts";
export { exportDeferred, writeFoundTools } from "../providers/wire/deferred.ts";
export { type ExportedTools, exportTools, type ToolLoss } from "../providers/wire/export.ts";
export { type AiSdkTool, toAiSdk } from "../providers/wire/frameworks/ai-sdk.ts";
export type { CallTool, FrameworkOptions } from "../providers/wire/frameworks/framework.ts";
export { type ForeignAiSdkTool, fromAiSdk, type FromAiSdkOptions } from "../providers/wire/frameworks/from-ai-sdk.ts";
export { type ForeignLangChainTool, fromLangChain } from "../providers/wire/frameworks/from-langchain.ts";
export { fromOpenAITools, type OpenAITool, type ToolImplementation } from "../providers/wire/frameworks/from-openai-tools.ts";
export { type LangChainOptions, type LangChainTool, toLangChain } from "../providers/wire/frameworks/langchain.ts";
export { type MastraTool, toMastra } from "../providers/wire/frameworks/mastra.ts";
export { type OpenAIAgentsTool, toOpenAIAgents } from "../providers/wire/frameworks/openai-agents.ts";
