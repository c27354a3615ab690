// The public names of @toolrack/store, one by one: adding a line here is a decision.

export { StoreError, type StoreErrorCode, storeErrorCodes } from "./errors.ts";

// Records
export type {
  Breadcrumb,
  BreadcrumbDraft,
  Grant,
  JsonObject,
  RecordedDecision,
  Sensitivity,
  Ttl,
  Visibility,
} from "./record/breadcrumb.ts";
export type { ModelView, ViewRule } from "./record/model-view.ts";
export type { Difference } from "./record/diff.ts";
export { canonicalJson } from "@toolrack/core/internal";
export { checksumOf } from "./record/json.ts";
export { publishedSchemas } from "./record/schemas/published.ts";

// Stores
export { type Actor, localActor, type Role } from "./access.ts";
export type { EngineStats as StoreStats, PoolStats, QueryStats } from "./engine/stats.ts";
export type { Change, ChangeType } from "./engine/engine.ts";
export type { Condition, Operator } from "./query/condition.ts";
export { meetsSearch, type SearchQuery } from "./query/search.ts";
export type { Selector } from "./query/selector.ts";
export { createStore, type StoreOptions, storeStats } from "./store/create-store.ts";
export { readStoreFacts, readStoreSize, type StoreFacts } from "./store/facts.ts";
export { forModel, forModels, type ModelRecord } from "./store/for-models.ts";
export { createMemoryStore } from "./store/memory.ts";
export { createPostgresStore, type PostgresStoreOptions } from "./store/postgres.ts";
export { createSqliteStore, type SqliteStoreOptions } from "./store/sqlite.ts";
export type {
  BreadcrumbStore,
  ChangesOptions,
  Expected,
  FoundBreadcrumb,
  HistoryOptions,
  Put,
  PutOptions,
  SearchPage,
  WriteRefusal,
  WriteResult,
} from "./store/store.ts";

// Engines of one's own: @toolrack/store/testing has the contract that they must pass
export type {
  BulkWrites,
  Engine,
  Head,
  Migrations,
  PagePlan,
  Reads as EngineReads,
  Saving,
  Snapshot,
  StoredRows,
  StoreEnds,
  WriteOptions,
  Writes as EngineWrites,
} from "./engine/engine.ts";
export type {
  AuditEnd,
  AuditEnds,
  AuditFilter,
  AuditReads,
  AuditRow,
  AuditWrites,
  ChainKey,
  LineContent,
  LinkedLine,
} from "./engine/audit.ts";
export type { HeldJob, JobExpectation, JobFilter, JobMarks, JobReads, JobRow, JobWrites } from "./engine/jobs.ts";
export type { DefinitionLogFilter, DefinitionLogReads, DefinitionLogRow, DefinitionLogWrites } from "./engine/definition-log.ts";
export type { LogPage } from "./engine/log.ts";
export type { Note, NoteClaims, NoteReads, NoteWrites } from "./engine/notes.ts";
export type { Lease, PresenceReads, PresenceWrites, Sighting } from "./engine/presence.ts";
export type { OldChange, OldChangesPlan, RetentionReads, RetentionWrites } from "./engine/retention.ts";
export type { SecretKeyCount, SecretReads, SecretRow, SecretWrites } from "./engine/secrets.ts";
export type {
  LockedSession,
  SessionInboxRow,
  SessionMarks,
  SessionMessageRow,
  SessionReads,
  SessionRow,
  SessionRowFilter,
  SessionWrites,
} from "./engine/sessions.ts";
export type {
  TicketChanges,
  TicketFilter,
  TicketLimit,
  TicketMark,
  TicketName,
  TicketReads,
  TicketRow,
  TicketWrites,
} from "./engine/tickets.ts";
export type { UsageCount, UsagePart, UsagePlan, UsageReads } from "./engine/usage.ts";
export { roundDuration } from "./engine/usage.ts";
export { createQueryMeter, type QueryMeter } from "./engine/stats.ts";
export { searchKeysOf } from "./engine/search-keys.ts";
export { writeLogPage } from "./engine/write-log-page.ts";
export { createMemoryEngine } from "./engines/memory/memory.ts";

// The catalog
export {
  type BreadcrumbClient,
  buildCatalogFromBreadcrumbs,
  type CatalogContext,
  type CatalogDraft,
  type CatalogTool,
  type ClientRecord,
} from "./catalog/build.ts";
export { definitionHash } from "./record/decision.ts";
export { stateOf, type ToolLifecycle } from "./catalog/state.ts";

// Tools from records
export { publishTool, type PublishOptions } from "./tools/publish.ts";
export {
  type DefinitionFault,
  type ProblemOptions,
  recordSource,
  type RecordSource,
  type RecordSourceOptions,
} from "./tools/record-source.ts";
export { RCRTToolWrapper } from "./tools/tool-wrapper.ts";
export { httpKind, type HttpImplementation } from "./tools/kinds/http.ts";
export type { Handler, ImplementationKind } from "./tools/kinds/kind.ts";
export { localKind } from "./tools/kinds/local.ts";
export { syncSettings, loadBundles, saveBundle, savePolicy } from "./tools/settings.ts";

// Definitions that a server writes about the tools that it serves
export { isApprovedSeen, isSeen, type SeenUpstream, upstreamOf } from "./record/seen.ts";
export {
  findSeen,
  ledgerActor,
  seenIdOf,
  type SeenKey,
  seenSourceTag,
  seenTextTags,
  seenToolTag,
  toSeenDraft,
  withoutSeen,
} from "./tools/seen-definition.ts";

// Lifecycle
export {
  approveDefinition,
  type ApprovingDecision,
  archiveDefinition,
  type Checked,
  type Decision,
  deprecateDefinition,
  rejectDefinition,
  validateDefinition,
} from "./lifecycle/lifecycle.ts";
export { isOnePerson } from "./lifecycle/one-person.ts";

// Configuration and secrets
export { changedSettings, refuseLiteralSecrets, type SettingMark } from "./config/marks.ts";
export { type Configs, createConfigs, type SaveConfigOptions } from "./config/configs.ts";
export {
  type AuditKeyFit,
  keyAudit,
  type KeyAuditOptions,
  type KeyedAudit,
  rewrapAuditKey,
  type RewrappedAuditKey,
} from "./secrets/audit-key.ts";
export { checkKeys, type KeyFit } from "./secrets/key-fit.ts";
export { createKeys, type KeyProvider, keysFromEnvironment, type MasterKeys } from "./secrets/keys.ts";
export {
  createSecrets,
  type RewrapOptions,
  type RewrappedSecrets,
  type SecretChange,
  type SecretInfo,
  type Secrets,
  type SecretsOptions,
} from "./secrets/secrets.ts";

// Which remote tools are alive
export { checkWrite } from "./presence/check-write.ts";
export { createPresence, type Presence, type PresenceStatus } from "./presence/presence.ts";

// Work that one server does for all
export type { ClusterLease } from "./engine/cluster-lease.ts";
export { createLeases, type Leases } from "./leases/leases.ts";
export { requireHeld } from "./leases/require-held.ts";

// Jobs
export { createJobQueue } from "./jobs/create-job-queue.ts";
export type {
  Enqueued,
  Job,
  JobChange,
  JobCounts,
  JobDraft,
  JobError,
  JobEvent,
  JobHandler,
  JobHandlers,
  JobOutcome,
  JobQuery,
  JobQueue,
  JobQueueOptions,
  JobRun,
  JobState,
  JobWorker,
  LostAttempt,
  WorkOptions,
} from "./jobs/job-queue.ts";

// What the servers of a store work on together: tasks of MCP clients, and wishes about calls
export { createTickets, type Ticket, type TicketFollower, type Tickets, type TicketsOptions } from "./tickets/tickets.ts";

// Sessions of agents
export { createSessionStore } from "./sessions/create-session-store.ts";
export type {
  AppendOptions,
  InboxMessage,
  MessageOrigin,
  NewInboxMessage,
  NewSession,
  Session,
  SessionEnd,
  SessionFilter,
  SessionKind,
  SessionLease,
  SessionMessage,
  SessionPatch,
  SessionResult,
  SessionStatus,
  SessionStore,
  SessionStoreOptions,
  SessionUsage,
  StoredMessage,
  TakenInbox,
} from "./sessions/session-store.ts";
export { toMessageRecord, toSessionRecord } from "./sessions/to-records.ts";

// First answers to requests with a key
export {
  type Answered,
  type AnswerRequest,
  type Answers,
  type AnswersOptions,
  createAnswers,
  type Settled,
  type UnfinishedWork,
} from "./answers/answers.ts";

// Calls and audit
export {
  addToAudit,
  auditBegin,
  type AuditLine,
  type AuditNote,
  type AuditQuery,
  listAudit,
  pruneAudit,
  type Retention,
} from "./audit/audit.ts";
export { anchorAudit, createAnchoring, needsAnchors } from "./audit/anchor.ts";
export {
  type DefinitionLog,
  type DefinitionLogEntry,
  type DefinitionLogKind,
  type DefinitionLogQuery,
  type LoggedDefinition,
  openDefinitionLog,
} from "./audit/definition-log.ts";
export { proveEntry, type SignedHead, signedHead, verifyHead } from "./audit/proof.ts";
export { type AuditBegin, type AuditCheck, verifyAudit } from "./audit/verify.ts";
export {
  type CallBody,
  type CutText,
  type ErrorDetails,
  isCutText,
  type RunningCall,
  type StoredCall,
  toCallRecords,
} from "./calls/call-body.ts";
export { type CallLog, type CallLogOptions, type CallQuery, createCallLog, type MissingEnds } from "./calls/call-log.ts";
export type { EndBacklogOptions, EndBacklogEvent } from "./calls/backlog/end-backlog.ts";
export type { ServerLease } from "./calls/server-lease.ts";
export { toStoredResult } from "./calls/stored-result.ts";
export { createRedaction, type Redact, type RedactionOptions } from "./audit/redact.ts";
export type { ToolStatistics } from "./usage/statistics.ts";
export type { CallSummary } from "./usage/call-sums.ts";
export type { SummaryOverTime, ToolUsage, Usage, UsageQuery } from "./usage/usage.ts";

// Files
export type { RecordFile } from "./files/format.ts";
export { type ImportLimits, type ReadRecordFile, readRecordFiles, writeRecordFiles } from "./files/folder.ts";
export type { PlacedValue } from "./files/parse.ts";
export {
  exportPage,
  type ExportPage,
  exportRecords,
  type ExportReport,
  exportToFolder,
  importFromFolder,
  type ImportOptions,
  type ImportReport,
  importRecords,
} from "./files/transfer.ts";

// Retention
export { applyRetention, type RetentionPlan, type RetentionReport } from "./retention/retention.ts";

// Whole stores
export { backUpStore, type BackUpOptions, type BackUpReport } from "./copy/back-up.ts";
export type { ContentCounts, ContentHeader, CopyProgress } from "./copy/content.ts";
export { type CopyOptions, type CopyReport, copyStore } from "./copy/copy-store.ts";
export {
  type BackupCheck,
  checkBackup,
  type ReadBackupOptions,
  type RestoreOptions,
  type RestoreReport,
  restoreStore,
} from "./copy/restore.ts";
