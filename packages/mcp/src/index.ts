// The public names of @toolrack/mcp, one by one: adding a line here is a decision.

// MCP servers as a source of tools
export { upstreamIdentity } from "./upstream/tools/fingerprint.ts";
export {
  type McpJson,
  type McpJsonOptions,
  type Placeholder,
  readMcpJson,
  readMcpServers,
  type SkippedServer,
} from "./upstream/mcp-json.ts";
export { mcpSource } from "./upstream/source.ts";
export { isForViewsOnly } from "./upstream/tools/views-only.ts";
export type { TextContext, UpstreamText, UpstreamTextKind, UseTexts } from "./upstream/texts/text.ts";
export {
  type HttpUpstream,
  type McpSource,
  type McpSourceOptions,
  passOrigin,
  type StdioUpstream,
  type UpstreamAuth,
  type UpstreamOptions,
  type UpstreamRequest,
  type UpstreamStatus,
  type UpstreamTool,
  upstreamToolOf,
} from "./upstream/upstream.ts";

// Serving a registry
export { McpError, type RpcErrorName, rpcErrors } from "./errors.ts";
export { toBlock as toMcpBlock } from "./wire/call-result.ts";
export { passListedFields } from "./wire/listed-fields.ts";
export { type EmbeddedContent, type EmbeddedResource, embedResource } from "./wire/embedded-resource.ts";
export { type ClientCapabilities, type Era, type LogLevel, protocolVersions } from "./wire/protocol.ts";
export { createMcpApprover, type McpApproverOptions } from "./serve/questions/approver.ts";
export type { McpNotify } from "./serve/changes/changes.ts";
export {
  type Elicitation,
  type ElicitationAnswer,
  type InputMethod,
  type InputRequest,
  type InputRequests,
  type McpClient,
  mcpClient,
} from "./serve/client/client.ts";
export type { ClientInfo } from "./serve/exchange.ts";
export type { GuardOptions } from "./serve/http/guard.ts";
export type { Listening, ListenOptions } from "./serve/http/listen-http.ts";
export type { SessionMessage, SessionSettings, SessionStore, StoredSession } from "./serve/http/sessions/session-store.ts";
export type { StreamLimits } from "./serve/http/streams/streams.ts";
export { createOnceLedger, type OnceLedger } from "./serve/questions/once-ledger.ts";
export type { ListOf, McpPrompt, McpPromptArgument, PromptMessage, ServeContext } from "./serve/library/prompts.ts";
export type { AnyResource, McpResource, McpResourceTemplate, ResourceContent, ResourceContents } from "./serve/library/resources.ts";
export { type McpEndpoint, type McpVisit, serveMcp } from "./serve/serve.ts";
export type { SeenMessage } from "./serve/http/http.ts";
export type { ServeMcpOptions } from "./serve/serve-options.ts";
export type { ResultPage } from "./serve/long-results/result-handles.ts";
export type { PageRequest, ResultPeers } from "./serve/long-results/shared-results.ts";
export type { StdioStreams } from "./serve/stdio/stdio.ts";
export { createMemoryTaskStore, type MemoryTaskStoreOptions } from "./serve/tasks/memory-task-store.ts";
export type { TaskSupport } from "./serve/tasks/serve-as-task.ts";
export { endOfTask, type TaskEnd } from "./serve/tasks/task-end.ts";
export type { StoredTask, TaskCall, TaskStatus, TaskStore } from "./serve/tasks/task-store.ts";
