/** Tools in the text of a prompt, and calls in the text of an answer. */

export { type BiasOptions, type CallState as BiasState, toLogitBias, type ToolBias, toolBias } from "../prompt/bias.ts";
export type { FoundCall } from "../prompt/call-shape.ts";
export type { Dialect, DialectCall, DialectForm, DialectResult, DialectTool, ModelFamily } from "../prompt/dialects/dialect.ts";
export { dialectFor, dialects } from "../prompt/dialects/dialects.ts";
export type { PromptTool } from "../prompt/entries.ts";
export { type FindOptions, findToolCalls, type FoundCalls } from "../prompt/find-calls.ts";
export { detectModelFamily } from "../prompt/model-family.ts";
export { defaultCompletionSignal, isTaskComplete } from "../prompt/parts.ts";
export { type PromptSection, type PromptSectionOptions, type PromptTier, toolSection } from "../prompt/section.ts";
export { selectTools, type TaskContext } from "../prompt/select.ts";
export { estimateTokens } from "../prompt/tokens.ts";
