import type { AssemblyAnswers } from "./api/assembly.ts";
import type { AuditAnswers } from "./api/audit.ts";
import type { ConfigAnswers, ToolConfig } from "./api/configs.ts";
import type { KeyAnswers, KeyInfo } from "./api/keys.ts";
import type { SecretAnswers } from "./api/secrets.ts";
import type { UsageAnswers } from "./api/usage.ts";
import type { FoundBreadcrumb, SecretInfo } from "@toolrack/store";
import type { AgentOpenApiAnswers } from "./api/agent-openapi.ts";
import type { AgentAnswers } from "./api/agents.ts";
import type { ApprovalAnswers } from "./api/approvals.ts";
import type { BreadcrumbAnswers } from "./api/breadcrumbs.ts";
import type { BundleAnswers } from "./api/bundles.ts";
import type { CallAnswers } from "./api/calls.ts";
import type { CanvasAnswers } from "./api/canvases.ts";
import type { ConfigChangeAnswers } from "./api/config-changes.ts";
import type { DefinitionAnswers } from "./api/definitions.ts";
import type { ExportAnswers } from "./api/exports.ts";
import type { GrantAnswers } from "./api/grants.ts";
import type { ProgramAnswers } from "./api/programs.ts";
import type { AgentRunAnswers, AgentRunEvent } from "./api/agent-runs.ts";
import type { SessionAnswers, SessionEvent } from "./api/sessions.ts";
import type { JobAnswers } from "./api/jobs.ts";
import type { HookAnswers } from "./api/hooks.ts";
import type { ScheduleAnswers } from "./api/schedules.ts";
import type { TriggerAnswers } from "./api/triggers.ts";
import type { WebhookAnswers } from "./api/webhooks.ts";
import type { HealthAnswers } from "./api/health.ts";
import type { LifecycleAnswers } from "./api/lifecycle.ts";
import type { LintAnswers } from "./api/lint.ts";
import type { LockAnswers } from "./api/lock.ts";
import type { OpenApiAnswers } from "./api/openapi.ts";
import type { PolicyDraftAnswers } from "./api/policy-drafts.ts";
import type { PolicyProfileAnswers } from "./api/policy-profiles.ts";
import type { PolicyAnswers } from "./api/policy.ts";
import type { OverlayAnswers } from "./api/overlays.ts";
import type { ProofAnswers } from "./api/proofs.ts";
import type { RecordTransferAnswers } from "./api/record-transfer.ts";
import type { RetentionAnswers } from "./api/retention.ts";
import type { RunAsAnswers } from "./api/run-as.ts";
import type { ScanAnswers } from "./api/scan.ts";
import type { SearchAnswers } from "./api/search.ts";
import type { SettingAnswers } from "./api/settings.ts";
import type { SignInAnswers } from "./api/sign-in.ts";
import type { SourceAnswers } from "./api/sources.ts";
import type { StatusAnswers } from "./api/status.ts";
import type { CallEvent, ToolAnswers } from "./api/tools.ts";
import type { WorkerAnswers } from "./api/workers.ts";
import type { StreamEvent } from "./http/route.ts";

/**
 * The type of each operation's answer, for clients in TypeScript: "GET /tools/{name}" → ToolDetails. Each route declares its types beside
 * its schema, and the compiler holds handler, schema and type against each other.
 */
export interface ApiAnswers
  extends
    AgentAnswers,
    AgentOpenApiAnswers,
    ApprovalAnswers,
    AgentRunAnswers,
    SessionAnswers,
    AssemblyAnswers,
    AuditAnswers,
    BreadcrumbAnswers,
    BundleAnswers,
    CallAnswers,
    CanvasAnswers,
    ConfigChangeAnswers,
    ConfigAnswers,
    DefinitionAnswers,
    ExportAnswers,
    GrantAnswers,
    ProgramAnswers,
    HealthAnswers,
    HookAnswers,
    ScheduleAnswers,
    TriggerAnswers,
    WebhookAnswers,
    JobAnswers,
    KeyAnswers,
    LifecycleAnswers,
    LintAnswers,
    LockAnswers,
    OpenApiAnswers,
    PolicyDraftAnswers,
    PolicyProfileAnswers,
    PolicyAnswers,
    OverlayAnswers,
    ProofAnswers,
    RecordTransferAnswers,
    RetentionAnswers,
    RunAsAnswers,
    ScanAnswers,
    SearchAnswers,
    SecretAnswers,
    SettingAnswers,
    SignInAnswers,
    SourceAnswers,
    StatusAnswers,
    WorkerAnswers,
    ToolAnswers,
    UsageAnswers {}

/** The events of each operation that can answer with server-sent events. */
export interface ApiEvents {
  "POST /tools/{name}/call": CallEvent;
  "POST /agents/{id}/runs": AgentRunEvent;
  "GET /sessions/{id}/messages": SessionEvent;
  "GET /events": StreamEvent;
}

/** "GET /tools/{name}", below /api/v1. */
export type ApiOperation = keyof ApiAnswers;

/** The names in braces of an operation's path: "name". */
export type PathParameter<Operation extends string> = Operation extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

export type { Caller, ToolResult, ToolState, ToolSuccess } from "@toolrack/core";
export type { ToolExplanation } from "@toolrack/core/policy";
export type { Issue, JsonSchema } from "@toolrack/json-schema";
export type { CallerDifference, ChangedTool } from "./api/shared/policy.ts";
export type { ServerChecks } from "./api/shared/readiness.ts";
export type { DeclaredNeeds, ToolDetails, ToolSummary } from "./api/shared/tools.ts";
export type { ToolDocument } from "./api/shared/tool-document.ts";
export type { AgentInfo, AgentList } from "./api/agents.ts";
export type { AgentRunAnswer, AgentRunEvent } from "./api/agent-runs.ts";
export type { SessionEvent, SessionList, SessionMessages } from "./api/sessions.ts";
export type { SessionRecord } from "./api/shared/sessions.ts";
export type { AssemblyReport } from "./api/assembly.ts";
export type { ApprovalList, ListedApproval } from "./api/approvals.ts";
export type { AuditLineAnswer, AuditPage, AuditVerification } from "./api/audit.ts";
export type { RecordDiff, RecordHistory } from "./api/breadcrumbs.ts";
export type { BundleList } from "./api/bundles.ts";
export type { BundleInfo, ResolvedBundle } from "./api/shared/bundles.ts";
export type { CallDetails, CallPage, RecordedCall, RunningCallInfo, RunningCallList } from "./api/calls.ts";
export type { ApprovedConfig, ConfigState } from "./api/config-changes.ts";
export type { ToolConfig, ToolConfigList } from "./api/configs.ts";
export type { ExportTargets, GrammarExport, ToolExport } from "./api/exports.ts";
export type { GrantList } from "./api/grants.ts";
export type { ProgramList } from "./api/programs.ts";
export type { JobDetails, JobList, JobSummary } from "./api/jobs.ts";
export type { CanvasList, ListedCanvas } from "./api/canvases.ts";
export type { ShownCanvas } from "./rack/canvas/canvases.ts";
export type { ProposedChange, WaitingProposal } from "./rack/proposals/proposals.ts";
export type { ScheduleList } from "./api/schedules.ts";
export type { TriggerList } from "./api/triggers.ts";
export type { DeliveryList, EndpointList } from "./api/webhooks.ts";
export type { ReceiverList } from "./api/hooks.ts";
export type { ScheduleDetails, ScheduleInfo, WaitingSchedule } from "./rack/automation/schedules/schedules.ts";
export type { ScheduleSpec } from "./rack/automation/schedules/spec.ts";
export type { TriggerInfo, TriggerTest } from "./rack/automation/triggers/triggers.ts";
export type { DeliveryInfo, EndpointInfo } from "./rack/automation/hooks/endpoints.ts";
export type { ReceiverInfo } from "./rack/automation/hooks/receivers.ts";
export type { HealthReport, SourceHealth } from "./api/health.ts";
export type { CreatedKey, KeyInfo, KeyList } from "./api/keys.ts";
export type { DefinitionTrust, SourceDefinitions } from "./api/definitions.ts";
export type { WaitingDefinition, WaitingEffect } from "./rack/trust/trust.ts";
export type { ChainGraph, DefinitionInfo, DefinitionList, StoredDefinition } from "./api/lifecycle.ts";
export type { LockReport } from "./api/lock.ts";
export type { LintReport } from "./api/lint.ts";
export type { OverlayList } from "./api/overlays.ts";
export type { LogEntry, LogPage } from "./api/proofs.ts";
export type { AppliedDraft, PolicyDraftDetails, PolicyDraftList } from "./api/policy-drafts.ts";
export type { PolicyProfile, ProfileTool } from "./api/policy-profiles.ts";
export type { PolicyInForce, PolicyMatrix, PolicyMatrixPage, PolicySimulation, PolicyView } from "./api/policy.ts";
export type { RetentionReport } from "./api/retention.ts";
export type { CallerView } from "./api/run-as.ts";
export type { SearchHit, SearchHits } from "./api/search.ts";
export type { ExportedRecords, ImportedRecords, ImportProblem } from "./api/record-transfer.ts";
export type { RewrapResult, SecretList, WantedSecret } from "./api/secrets.ts";
export type { ResetSetting, SettingList } from "./api/settings.ts";
export type { SignedIn, SignInCode, SignInSession } from "./api/sign-in.ts";
export type { SourceImport, SourceList } from "./api/sources.ts";
export type { OpenApiPlan, OpenApiPreview, PlannedSecret, PlannedTool, PreviewedRequest } from "./rack/sources/openapi/plan.ts";
export type { ServerState, StatusReport } from "./api/status.ts";
export type { CallEvent, ToolList } from "./api/tools.ts";
export type { TotalUsageReport, ToolUsageReport, UsageBucket, UsageReport } from "./api/usage.ts";
export type { ProblemBody } from "./http/reply/problem.ts";
export type { StreamEvent } from "./http/route.ts";

export type RecordAnswer = FoundBreadcrumb;
export type ConfigAnswer = ToolConfig;
export type KeyAnswer = KeyInfo;
export type SecretAnswer = SecretInfo;
