// The public names of @toolrack/core, one by one: adding a line here is a decision.

export { errorCodes } from "./error-codes.ts";
export { type ErrorCode, refusalCodes, ToolAuthorizationError, ToolError, type ToolErrorOptions, ToolInputError } from "./errors.ts";

// Tools
export { defineBundle, type ToolBundle } from "./tool/bundle.ts";
export type { Answer, AskRequest, CallContext, Caller, Logger, PathCheck, Progress } from "./tool/context.ts";
export { standardCategories } from "./tool/categories.ts";
export type { ToolAnnotations, ToolExample, ToolLimits, ToolMetadata, ToolOptionality } from "./tool/metadata.ts";
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

// The registry and the call
export { createRegistry } from "./registry/create.ts";
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
export type { UserChannel } from "./call/ports/user-channel.ts";
export { withWrapper } from "./call/wrap-tool.ts";
export type { Call, Run, Wrapper } from "./call/wrapper.ts";

// Events and sources
export type { EventListener, EventType, ToolEvent } from "./events.ts";
export { codeSource } from "./sources/code.ts";
export type { SourceStatus, ToolSource } from "./sources/source.ts";
