/** Tools in the form of a model vendor or of a framework, and the calls and results that go with them. */

export { type AdaptedSchema, type AdaptOptions, adaptSchema } from "../providers/adapt/adapt.ts";
export {
  type Loss,
  type Provider,
  type ProviderLimits,
  type ProviderTarget,
  type SchemaTarget,
  schemaTargets,
  type ToolCall,
  type ToolChoice,
} from "../providers/provider.ts";
export { providerFor, providerTargets } from "../providers/providers.ts";
export type { Violation } from "../providers/rules/rule.ts";
export { checkVendorSchema } from "../providers/rules/rules.ts";
export { readCalls, type SpellingOptions, writeChoice, writeResults } from "../providers/wire/calls.ts";
export type { ExportDiagnostic, ExportOptions } from "../providers/wire/compile.ts";
export { exportDeferred, writeFoundTools } from "../providers/wire/deferred.ts";
export { type ExportedTools, exportTools, type ToolLoss } from "../providers/wire/export.ts";
export type { CallTool, FrameworkOptions } from "../providers/wire/frameworks/_shared.ts";
export { toAiSdk } from "../providers/wire/frameworks/ai-sdk.ts";
export { toLangChain } from "../providers/wire/frameworks/langchain.ts";
export { toMastra } from "../providers/wire/frameworks/mastra.ts";
export { toOpenAIAgents } from "../providers/wire/frameworks/openai-agents.ts";
