// The public names of @toolrack/tools, one by one: adding a line here is a decision.

// Files, programs and code
export { createCodeTools } from "./code/code.ts";
export type { BashRules, CodeToolsOptions } from "./code/options.ts";
export { applyPatchModels, forModels } from "./files/apply-patch-models.ts";
export { createFilesTools } from "./files/files.ts";
export type { FilesToolsOptions } from "./files/options.ts";
export type { RuntimeToolsOptions } from "./runtime/options.ts";
export { createRuntimeTools } from "./runtime/runtime.ts";
export type { EnvironmentOptions } from "./workspace/environment.ts";
export {
  type ChangeOptions,
  type FileContent,
  type FileFacts,
  FileFault,
  type FileOperations,
  type FileVersion,
  type FolderEntry,
  type StagedFile,
} from "./operations/files.ts";
export { createFileOperations, type FileOperationsOptions } from "./operations/node-files.ts";
export { findReserved, reservedRemedy } from "./operations/reserved-files.ts";
export type { ProgramLimits } from "./operations/program-limits.ts";
export { findIsolation, isolationRemedy, type IsolationState } from "./operations/isolation.ts";
export { type ConfinementOptions, createProcessOperations, type ProcessOperationsOptions } from "./operations/node-processes.ts";
export type { SandboxOptions } from "./operations/sandbox.ts";
export {
  type ProcessCommand,
  type ProcessEnd,
  ProcessFault,
  type ProcessOperations,
  type ProcessSignal,
  type StartedProcess,
} from "./operations/processes.ts";

// Ports and operations
export type { Embed, EmbeddingOptions } from "./operations/embed.ts";
export type {
  BreadcrumbClient,
  FoundRecord,
  OpenBreadcrumbs,
  RecordDraft,
  RecordQuery,
  RecordWrite,
  StoredRecord,
} from "./operations/breadcrumbs.ts";
export { createHttp, type HttpOperations } from "./operations/http.ts";
export { createFolderNotes, type FolderNotesOptions, type NoteFile, type NoteOperations } from "./operations/notes.ts";
export { sql, type SqlRow, type SqlSession, type SqlStatement, type SqlValue } from "./operations/sql.ts";
export { createPostgresSession, createSqliteSession, type PostgresClient, type SqliteDatabase } from "./operations/sql-sessions.ts";

// Commerce
export { type CommerceOptions, createCommerceTools } from "./commerce/commerce.ts";
export type { CommerceOperations } from "./commerce/operations.ts";
export type { Product } from "./commerce/products.ts";
export { saveProduct } from "./commerce/save-product.ts";
export { fillSampleShop, type SampleShopOptions } from "./commerce/sample/sample-shop.ts";
export { createShopTables } from "./commerce/tables.ts";

// Utility
export type { OpenrouterOptions } from "./utility/openrouter.ts";
export type { CompletionRequest, LogitModel, ModelServiceOptions } from "./utility/logit-model.ts";
export type { UtilityOperations } from "./utility/operations.ts";
export { createUtilityTools, type UtilityOptions } from "./utility/utility.ts";
export type { DefinitionHost } from "./utility/tool-create.ts";

// Web
export type { WebOperations } from "./web/operations.ts";
export type { Page, ReadPageRequest } from "./web/read-page.ts";
export { createWebTools, type WebOptions } from "./web/web.ts";
export type { WebSearchOptions } from "./web/web-search.ts";

// Feeds, calendars and posts
export type { BlogNotionOptions } from "./publish/blog-notion.ts";
export type { CalendarsOptions } from "./publish/calendar.ts";
export type { CaldavOptions } from "./publish/calendars/caldav.ts";
export type { IcsOptions } from "./publish/calendars/ics.ts";
export type { PublishOperations } from "./publish/operations.ts";
export { createPublishTools, type PublishOptions } from "./publish/publish.ts";
export type { ConfiguredFeed } from "./publish/rss-feed.ts";
export type { StaticLink, StaticLinksOptions } from "./publish/static-links.ts";

// Speech and images
export type { ImageModel } from "./media/image-model.ts";
export type { ImageServiceOptions } from "./media/image-service.ts";
export { createMediaTools, type MediaOptions } from "./media/media.ts";
export type { MediaOperations } from "./media/operations.ts";
export type { SpeechServiceOptions } from "./media/speech-service.ts";
export type { SpeechOptions } from "./media/tts.ts";
export { createScratchProcesses } from "./operations/scratch-processes.ts";

// Messages
export type { Channel, MessagePlace, OutgoingMessage, ReadRequest, ReceivedMessage, SentMessage } from "./messages/channels/channel.ts";
export type { MailServer } from "./messages/channels/email.ts";
export { createMessageTools, type MessagesOptions } from "./messages/messages.ts";
export type { MessageOperations } from "./messages/operations.ts";
export type {
  ChannelOptions,
  ChannelsOptions,
  EmailChannelOptions,
  ServiceChannelOptions,
  WebhookChannelOptions,
} from "./messages/options.ts";
export { createMemorySendLog, type Recorded, type SendEntry, type SendLog } from "./messages/send-log.ts";

// Browser
export { type BrowserOptions, createBrowserTools } from "./browser/browser.ts";
export { browserDriverRemedy, hasBrowserDriver } from "./browser/driver.ts";
export type { ConnectGuardOptions } from "./browser/guarded-connect.ts";
export { type BrowserHost, type BrowserHostOptions, createBrowserHost } from "./browser/host.ts";
export type { BrowserSession } from "./browser/session.ts";

// Plans, settings and machines
export { type AutomationOptions, createAutomationTools } from "./automation/automation.ts";
export type { Node, NodesHost, NodeTool } from "./automation/nodes-host.ts";
export type { Schedule, SchedulePlan, ScheduleRun, SchedulesHost } from "./automation/schedules-host.ts";
export type { NewProposal, ProposableKey, Proposal, SettingsHost, ShownSetting } from "./automation/settings-host.ts";

// Canvases
export { type CanvasOptions, createCanvasTools } from "./canvas/canvas.ts";
export { canvasContentPolicy } from "./canvas/document.ts";
export type { Canvas, CanvasHost, CanvasInfo, NewCanvas } from "./canvas/host.ts";
export { createMemoryCanvases, type MemoryCanvases } from "./canvas/memory-canvases.ts";

// Sessions of agents
export { createSessionsTools } from "./sessions/sessions.ts";
export type { SessionsToolsOptions } from "./sessions/options.ts";
export {
  type AgentList,
  type ChildRun,
  type ModelChange,
  type OpenSessions,
  type SendOutcome,
  type SessionCard,
  type SessionHistory,
  type SessionKind,
  type SessionListFilter,
  type SessionMessage,
  type SessionOrigin,
  type SessionsHost,
  type SessionStatus,
  type SessionSummary,
  type SpawnOutcome,
  type SpawnRequest,
  type ThinkingLevel,
  type SteerOutcome,
  type StoredSessionMessage,
} from "./sessions/host.ts";
export {
  mayUse,
  type SessionDeed,
  type SessionViewer,
  type Sight,
  type SightedSession,
  type SightOptions,
  viewerOf,
} from "./sessions/sight.ts";
export { type SpawnFacts, type SpawnLimits, spawnRefusal, steerEveryMs } from "./sessions/limits.ts";
export { childCaller, type ChildFacts, originOf } from "./sessions/child-caller.ts";
export { type KnownAgent, type KnownAgents, maySpawn, spawnableAgents } from "./sessions/allowed-agents.ts";
export { redactSecretForms } from "./sessions/redact.ts";
export {
  createMemorySessionsHost,
  type MemorySessions,
  type MemorySessionsOptions,
  type NewSession,
} from "./sessions/memory/memory-host.ts";
export type { RunEnd, RunSession, SessionRun } from "./sessions/memory/run-session.ts";

// Memory
export { createMemoryTools, type MemoryOptions } from "./memory/memory.ts";
export type { MemoryOperations } from "./memory/operations.ts";

// Embeddings
export type { EmbeddingsService } from "./operations/embeddings.ts";
export { createHttpEmbedder, type HttpEmbedderOptions } from "./operations/http-embedder.ts";

// Tools put together
export { createOpenClawCodingTools, createOpenClawTools, type OpenClawCodingToolsOptions, type OpenClawToolsOptions } from "./open-claw.ts";
