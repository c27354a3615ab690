/** Tools in the text of a prompt, and calls in the text of an answer. */

export { type BiasOptions, type BiasState, toLogitBias, type ToolBias, toolBias } from "../prompt/bias.ts";
export type { FoundCall } from "../prompt/call-shape.ts";
export { defineDialect } from "../prompt/define-dialect.ts";
export { dialectParts } from "../prompt/dialect-parts.ts";
export type { Dialect, DialectCall, DialectForm, DialectResult, DialectTool } from "../prompt/dialects/dialect.ts";
export { detectModelFamily, dialectFor, type DialectOptions, dialects, type ModelFamily } from "../prompt/dialects/dialects.ts";
export type { PromptTool } from "../prompt/entries.ts";
export { type FindOptions, findToolCalls, type FoundCalls } from "../prompt/find-calls.ts";
export { defaultCompletionSignal, isTaskComplete } from "../prompt/parts.ts";
export { type PromptSection, toolSection } from "../prompt/section.ts";
export type { PromptTier } from "../prompt/section-options.ts";
export type { PromptSectionOptions } from "../prompt/section-options.ts";
export { selectTools, type TaskContext } from "../prompt/select.ts";
export { estimateTokens } from "../prompt/tokens.ts";
