// The public names of @toolrack/server, one by one: adding a line here is a decision.

export { ServerError, type ServerErrorCode, serverErrorCodes } from "./errors.ts";

// The configuration file
export type { JwtConfig, RackConfig } from "./config/config.ts";
export type { ParameterOverlay, ToolOverlay } from "./config/overlay.ts";
export { configSchema } from "./config/schema.ts";
export { type ConfigIssue, type ConfigRead, readConfig } from "./config/read.ts";
export { starterConfig, type StarterProject } from "./config/starter.ts";

// The rack
export { openRack, type OpenRackOptions } from "./rack/open.ts";
export type {
  AgentSetting,
  ApiKey,
  ApiKeys,
  EndedKey,
  NewApiKey,
  PendingConfig,
  PolicyDraft,
  Rack,
  RackCallOptions,
  RunningCall,
  RunningCalls,
  Setting,
  Settings,
  SourceInfo,
  Sources,
} from "./rack/rack.ts";
export type { ApprovalDecision, Approvals, RememberedApproval, WaitingApproval } from "./rack/approvals/approval.ts";
export type { ServerInfo } from "./rack/cluster/server-info.ts";
export type { Servers, ServerStatus } from "./rack/cluster/servers.ts";

// Modules of tools.modules; also at @toolrack/server/module, without the server
export { checkProof, type ProofVerification, type VerifyOptions as VerifyProofOptions } from "./rack/trust/log-proofs.ts";
export type {
  ProgramCallDetails,
  ProgramDetails,
  ProgramOutcome,
  ProgramRequest,
  Programs,
  ProgramStatus,
  ProgramSummary,
} from "./rack/programs/programs.ts";
export type { CallJob, Jobs, ShownJob } from "./rack/jobs/jobs.ts";
export type { Automation } from "./rack/automation/automation.ts";
export type { GrantInfo, Grants, WaitingGrant } from "./rack/trust/grants.ts";
export type { OverlayInfo } from "./rack/trust/overlay-info.ts";
export type { Overlays } from "./rack/trust/overlays.ts";
export { defineModule, type ServerModule } from "./rack/modules/module.ts";
export type { PackConfig, PackContext, PackDefinition } from "./rack/packs/pack.ts";
export type { SourceKind, SourceKindContext } from "./rack/sources/source-kind.ts";
export type { ImplementationKind } from "@toolrack/store";

export type { Author } from "./rack/audit/author.ts";

// Logs
export { createLog, type LogFormat, type LogLevel, type LogOptions, type LogSettings, type ServerLog } from "./telemetry/log/log.ts";

// What the API answers
export type {
  AgentInfo,
  AgentList,
  ApiAnswers,
  ApiEvents,
  ApiOperation,
  AppliedDraft,
  ApprovalList,
  ApprovedConfig,
  AssemblyReport,
  AuditLineAnswer,
  AuditPage,
  AuditVerification,
  BundleInfo,
  BundleList,
  CallDetails,
  CallEvent,
  Caller,
  CallerDifference,
  CallerView,
  CallPage,
  ChangedTool,
  ConfigAnswer,
  ConfigState,
  CreatedKey,
  DeclaredNeeds,
  DefinitionTrust,
  ChainGraph,
  DefinitionInfo,
  StoredDefinition,
  DefinitionList,
  ExportTargets,
  GrammarExport,
  GrantList,
  HealthReport,
  AgentRunAnswer,
  AgentRunEvent,
  SessionList,
  SessionMessages,
  SessionRecord,
  JobDetails,
  JobList,
  JobSummary,
  Issue,
  JsonSchema,
  KeyAnswer,
  KeyInfo,
  KeyList,
  LintReport,
  LockReport,
  LogEntry,
  OverlayList,
  ListedApproval,
  PathParameter,
  PolicyDraftDetails,
  PolicyDraftList,
  PolicyInForce,
  PolicyMatrix,
  PolicyMatrixPage,
  PolicySimulation,
  PolicyView,
  RecordAnswer,
  RecordDiff,
  RecordedCall,
  RecordHistory,
  ResetSetting,
  ResolvedBundle,
  RetentionReport,
  ExportedRecords,
  ImportedRecords,
  ImportProblem,
  OpenApiPlan,
  OpenApiPreview,
  PlannedSecret,
  PlannedTool,
  PreviewedRequest,
  ToolDocument,
  RewrapResult,
  RunningCallInfo,
  RunningCallList,
  SearchHit,
  SearchHits,
  SecretAnswer,
  SecretList,
  ServerChecks,
  ServerState,
  SettingList,
  SignedIn,
  SignInCode,
  SignInSession,
  SourceDefinitions,
  SourceHealth,
  SourceImport,
  SourceList,
  StatusReport,
  StreamEvent,
  ToolConfig,
  ToolConfigList,
  ToolDetails,
  ToolExplanation,
  ToolExport,
  ToolList,
  ToolResult,
  ToolState,
  ToolSuccess,
  ToolSummary,
  ToolUsageReport,
  UsageBucket,
  UsageReport,
  WaitingDefinition,
  WaitingEffect,
  WantedSecret,
  DeliveryInfo,
  DeliveryList,
  EndpointInfo,
  EndpointList,
  ReceiverInfo,
  ReceiverList,
  ScheduleDetails,
  ScheduleInfo,
  ScheduleList,
  ScheduleSpec,
  TriggerInfo,
  TriggerList,
  WaitingSchedule,
  CanvasList,
  ListedCanvas,
  ProposedChange,
  ShownCanvas,
  WaitingProposal,
} from "./api-types.ts";

// HTTP
export { type App, type AppOptions, createApp } from "./app.ts";
export type { GuardOptions } from "./http/guard/guard.ts";
export { type Identity, ownerOf, type ServerRole } from "./http/sign-in/identity.ts";
export type { Limits } from "./http/limits/limits.ts";
export { Problem, type ProblemBody } from "./http/reply/problem.ts";
export type { Answers, AnswerShape, Method, Route, SchemaOf } from "./http/route.ts";
export { createTokenCheck, type TokenCheck, type TokenOptions } from "./http/sign-in/tokens.ts";
export type { OpenApiDocument } from "./openapi.ts";
export { routes } from "./routes.ts";
export { openServer, type OpenServerOptions } from "./open-server.ts";
export { serve, type Served, type ServeOptions } from "./serve.ts";
export { version } from "./version.ts";
