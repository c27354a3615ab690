import type { ShowInput } from "./calls/shown-input.ts";
import type { WorkerHub } from "./workers/worker-hub.ts";
import type { WorkerFacts } from "@toolrack/workers";
import type { Answer, Caller, InvokeOptions, Logger, Progress, Registry, RegistryOptions, ToolBundle, ToolResult } from "@toolrack/core";
import type { Clock } from "@toolrack/core/node";
import type { ConfiguredPolicy, PolicyConfig, PolicyWarning } from "@toolrack/core/policy";
import type { ScanFinding } from "@toolrack/core/scan";
import type { Reranker } from "@toolrack/core/search";
import type { ResultPeers, SessionStore, TaskStore } from "@toolrack/mcp";
import type { Breadcrumb, BreadcrumbStore, CallLog, Configs, DefinitionFault, ProblemOptions, Secrets } from "@toolrack/store";
import type { RackConfig, SourceConfig } from "../config/config.ts";
import type { OpenApiSourceConfig } from "../config/openapi-source.ts";
import type { RetentionLimits } from "../config/retention.ts";
import type { BrokerState } from "./cluster/pool-facts.ts";
import type { ClusterFacts } from "./cluster/cluster-facts.ts";
import type { AbsentTools } from "./sources/absent-tools.ts";
import type { Agreement } from "./cluster/agreement.ts";
import type { Agents } from "./agents/agents.ts";
import type { WriteAudit } from "./audit/audit.ts";
import type { Author } from "./audit/author.ts";
import type { Approvals, WaitingNotice } from "./approvals/approval.ts";
import type { Canvases } from "./canvas/canvases.ts";
import type { Proposals } from "./proposals/proposals.ts";
import type { Automation } from "./automation/automation.ts";
import type { CallEnds } from "./calls/call-ends.ts";
import type { LoadedModules } from "./modules/loaded-modules.ts";
import type { ModuleSupplies } from "./modules/module.ts";
import type { MasterKey } from "./keys-and-tokens/key-rotation.ts";
import type { OwnerToken } from "./keys-and-tokens/owner-token.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { TaskManager } from "./mcp/task-manager.ts";
import type { Programs } from "./programs/programs.ts";
import type { Readiness } from "./cluster/readiness.ts";
import type { Recording } from "./calls/recording.ts";
import type { Tracing } from "./calls/tracing.ts";
import type { Servers } from "./cluster/servers.ts";
import type { Texts } from "./texts/texts.ts";
import type { Grants } from "./trust/grants.ts";
import type { SeenTools } from "./trust/log-seen.ts";
import type { Trust } from "./trust/trust.ts";
import type { ConfiguredOverlays, Overlays } from "./trust/overlays.ts";
import type { OpenApiPlan, OpenApiPreview } from "./sources/openapi/plan.ts";
import type { StoreWatch } from "./store/store-watch.ts";

/**
 * Everything of a running server but HTTP: the registry with its sources, the store, and what connects the two. The HTTP API, MCP, the
 * command line on a local store and the tests all use one.
 */
export interface Rack {
  readonly registry: Registry;
  /** The same registry, with lists as models get them: without the tools of large sources that they find by search. */
  readonly listed: Registry;
  /** A registry for tools that are served to nobody: approved, limited, redacted, scanned and recorded as those of `registry` are. Whoever opens it closes it. */
  openBeside(options: Pick<RegistryOptions, "secrets">): Registry;
  /** The tools of sources that are away. */
  readonly absent: AbsentTools;
  /** The ports that this server listens on; whoever serves the rack adds them, so that tools do not reach it by accident. */
  readonly ownPorts: Set<number>;
  /** Reorders searches by meaning; absent unless `search.embeddings` is configured. */
  readonly reranker?: Reranker;
  /** With the rights of the server itself, a curator; use `store.as(identity.actor)` for a caller. */
  readonly store: BreadcrumbStore;
  /** Why nothing on this server could run a stored definition; undefined if it can run. */
  definitionProblem(definition: Pick<Breadcrumb, "title" | "context">, options?: ProblemOptions): Promise<string | undefined>;
  /** The kinds of stored definitions that this server knows how to run. */
  readonly definitionKinds: readonly string[];
  /** Stored definitions that may be called and that nothing on this server can run, by the ids of their records. */
  definitionFaults(): ReadonlyMap<string, DefinitionFault>;
  /** What the scanner finds in the words, the program or the steps of a stored definition. */
  definitionFindings(definition: Pick<Breadcrumb, "title" | "context">): Promise<readonly ScanFinding[]>;
  /** The host of a stored HTTP definition that `tools.records.allowHosts` would have to allow. */
  privateHostOf(definition: Pick<Breadcrumb, "context">): string | undefined;
  readonly configs: Configs;
  readonly secrets: Secrets;
  readonly calls: CallLog;
  /** Calls that are missing in the audit log. */
  readonly recording: Recording;
  readonly running: RunningCalls;
  readonly callEnds: CallEnds;
  /** Whether the store works, as its users report. */
  readonly storeWatch: StoreWatch;
  /** How far this server is behind the store. */
  feedLagMs(): number;
  /** This server, and the others on the same store. */
  readonly servers: Servers;
  /** Whether they have the same master key, configuration and version. */
  readonly agreement: Agreement;
  /** All servers of the store, and what waits in it. */
  readonly cluster: ClusterFacts;
  /** Whether this server can serve requests now. */
  readonly readiness: Readiness;
  readonly masterKey: MasterKey;
  readonly approvals: Approvals;
  /** Calls that run later, or longer than anybody waits for them. */
  readonly jobs: Jobs;
  /** Agents that this server runs, and their sessions. */
  readonly agents: Agents;
  /** What is shown of the input of a call, anywhere. */
  readonly showInput: ShowInput;
  /** What runs by itself. */
  readonly automation: Automation;
  /** Changes of settings that agents propose. */
  readonly proposals: Proposals;
  /** Pages that agents show to people. */
  readonly canvases: Canvases;
  /** Programs over the tools of this server. */
  readonly programs: Programs;
  /** The definitions of tools: what is on record, what changed, what waits for a person. */
  readonly trust: Trust;
  /** Instructions, prompts and resources of sources that are passed on. */
  readonly texts: Texts;
  readonly settings: Settings;
  /** What operators change about tools that they do not own. */
  readonly overlays: Overlays;
  /** Who allowed which tool to reach for more than its input. */
  readonly grants: Grants;
  /** What sources list, before anything is changed here. */
  readonly seen: Pick<SeenTools, "lock">;
  /** Mistakes in the policy: names that no tool has, rules that never take effect. */
  readonly policyWarnings: PolicyWarnings;
  /** Changes of the configuration file that wait for approval. */
  readonly configChanges: ConfigChanges;
  readonly keys: ApiKeys;
  /** Proves that a caller on this machine is the owner. */
  readonly ownerToken: OwnerToken;
  /** Long calls of MCP clients, known to every server on the same store. */
  readonly tasks: TaskStore & Pick<TaskManager, "handOver">;
  /** Sessions of legacy MCP clients, known to every server on the same store. */
  readonly mcpSessions: SessionStore;
  /** Pages of long MCP results, from any server on the same store. */
  readonly mcpPages: ResultPeers;
  /** The key that all servers of the store share, to sign and verify. */
  readonly sharedKey: Uint8Array;
  readonly sources: Sources;
  /** Where telemetry joins in. */
  readonly tracing: Tracing;
  /** What modules of the configuration add, in addition to tools. */
  readonly modules: LoadedModules;
  readonly drafts: PolicyDrafts;
  readonly log: Logger;
  readonly clock: Clock;
  /** The configuration at the start, for what needs a restart to change: addresses, sign-in, store, limits. */
  readonly config: RackConfig;
  /** When it was opened, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly version: string;
  /** Records an action on the server itself. */
  readonly audit: WriteAudit;
  readonly retention: Retention;
  /** Makes one call through `registry.invoke`, known to `running` from its start to its end. */
  call(tool: string, input: unknown, options: RackCallOptions): RunningCall;
  /** Ends or cancels running calls, and closes sources and store. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

export interface RackCallOptions {
  readonly caller: Caller;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** A repeated call with the same key, tool and caller gets the first answer, also from another server on the same store. */
  readonly idempotencyKey?: string;
  /** Who gets the result. @default what the tool says */
  readonly deliver?: InvokeOptions["deliver"];
  readonly approval?: { readonly digest: string; readonly answer: Answer };
  readonly trace?: unknown;
}

/** A running call. */
export interface RunningCall {
  readonly callId: string;
  readonly tool: string;
  readonly caller: Caller;
  readonly startedAt: number;
  readonly result: Promise<ToolResult>;
  /** The progress so far, and further progress until the result. */
  progress(options?: { readonly signal?: AbortSignal }): AsyncIterable<CallProgress>;
  /** The caller gets the reason. A `ToolError` also sets code and message. */
  cancel(reason?: string | Error): void;
}

/** What a running call reports: progress of its tool, or that it waits for a person. */
export interface CallProgress extends Progress {
  readonly waiting?: WaitingNotice;
}

export interface RunningCalls {
  get(callId: string): RunningCall | undefined;
  list(): readonly RunningCall[];
  /** The running calls of every server on the store. */
  listAll(): Promise<readonly Pick<RunningCall, "callId" | "tool" | "caller" | "startedAt">[]>;
  /** The result of a call that runs here or elsewhere, or that ended: by event, never by polling. Rejects after `timeoutMs`. */
  waitFor(callId: string, options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal }): Promise<ToolResult>;
  /** The caller of a call, and whether it still runs, here or elsewhere; undefined for an unknown call. */
  find(callId: string): Promise<{ readonly caller: Caller; readonly isRunning: boolean } | undefined>;
  /** Cancels a call that runs here or elsewhere. */
  cancel(callId: string, reason?: string): Promise<void>;
}

/** The configuration file, and records that override it by key. */
export interface Settings {
  /** The settings in force, each with its origin. */
  list(): readonly Setting[];
  get(key: string): Setting | undefined;
  /** Writes a record that overrides the file for this key. Throws CONFIG_INVALID if the result is inconsistent. */
  set(key: string, value: unknown, by: Author): Promise<Setting>;
  /** Writes several, all or none; null removes the value of the file. */
  setAll(changes: Readonly<Record<string, unknown>>, by: Author): Promise<readonly Setting[]>;
  /** The policy with these changes; throws like `setAll`. */
  preview(changes: Readonly<Record<string, unknown>>): { readonly policy: PolicyConfig; readonly configured: ConfiguredPolicy };
  /** Removes the override: the value of the file is in force again. */
  reset(key: string, by: Author): Promise<Setting | undefined>;
  readonly policy: PolicyConfig;
  /** The same, read. */
  readonly configuredPolicy: ConfiguredPolicy;
  /** The names of all agents that the configuration lists. */
  agentNames(): readonly string[];
  /** Problems of the current file or records; the previous settings stay in force. */
  readonly problems: readonly string[];
  /** Reads the file again, also without a change; settles when it was used or refused. */
  reload(): Promise<void>;
  agents(): readonly AgentSetting[];
  /** Tool → why it is disabled. */
  disabled(): ReadonlyMap<string, string>;
  /** Tool → disabled action → where that is said: "toolrack.config.yaml:12". */
  disabledActions(): ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Source → tool → overlay of the configuration file. */
  overlays(): ConfiguredOverlays;
  bundles(): readonly (ToolBundle & { readonly origin: string })[];
}

/** What is probably a mistake in the policy in force. New warnings are logged at the start and after each change of the settings. */
export interface PolicyWarnings {
  /** Of all known agents, each once; found again when tools, settings or keys change. */
  list(): Promise<readonly PolicyWarning[]>;
  /** Resolves when the warnings of the settings in force are logged. */
  settled(): Promise<void>;
}

/** Changes of the file that need approval or a restart. */
export interface ConfigChanges {
  /** Undefined while nothing waits. */
  pending(): PendingConfig | undefined;
  /** Keys whose new values are in force only after a restart. */
  afterRestart(): readonly string[];
  /** Approves exactly this file. Throws CONFIG_INVALID if the file on disk is another one by now; undefined if nothing waits. */
  approve(digest: string, by: Author): Promise<PendingConfig | undefined>;
  /** Calls the listener for each file that was used, or that waits. */
  subscribe(listener: (notice: ConfigNotice) => void): () => void;
}

/** A file with changes that wait for approval. */
export interface PendingConfig {
  readonly file: string;
  /** Of the exact bytes of the file that is approved. */
  readonly digest: string;
  /** "Changes in toolrack.config.yaml wait for approval: sources.github." */
  readonly message: string;
  /** Values that wait; those of variables and headers are hidden. */
  readonly waiting: readonly { readonly part: string; readonly key: string; readonly before?: unknown; readonly after?: unknown }[];
  /** Keys that take effect after a restart. */
  readonly restart: readonly string[];
}

export interface ConfigNotice {
  readonly digest: string;
  /** Keys in force now. */
  readonly changed: readonly string[];
  readonly waiting: readonly string[];
  readonly restart: readonly string[];
  /** Sources that were approved, as they are now. */
  readonly agreedSources: readonly string[];
  /** Who approved it; "file" if no approval was needed. */
  readonly by: Author;
}

export interface Setting {
  /** "policy.agents.support", "sources.github", "bundles.research". */
  readonly key: string;
  readonly value: unknown;
  /** "toolrack.config.yaml:12", "record setting-policy.agents.support v3", or "default". */
  readonly origin: string;
}

export interface AgentSetting {
  readonly id: string;
  readonly description?: string;
  readonly provider?: string;
  readonly model?: string;
  /** This server runs it. */
  readonly isRunHere?: true;
  readonly origin: string;
}

/** API keys: the text is shown once, only its hash is stored. */
export interface ApiKeys {
  /** Whether there is a key now, also an expired one. */
  exist(): boolean;
  /** Whether a key exists or ever existed: revoking the last key does not reset this. */
  wereMade(): boolean;
  list(): Promise<readonly ApiKey[]>;
  create(key: NewApiKey): Promise<ApiKey & { readonly secret: string }>;
  revoke(id: string, by: Author): Promise<boolean>;
  /**
   * Calls the listener for each key that expires, is revoked or is deleted, on any server. Returns a function that stops it.
   */
  onEnd(listener: (ended: EndedKey) => void): () => void;
  /** Calls the listener whenever a key is created, on any server. Returns a function that stops it. */
  onMade(listener: () => void): () => void;
  /** The owner of a key; undefined for an unknown, expired or revoked one. In constant time. */
  verify(secret: string): Promise<ApiKey | undefined>;
}

export interface EndedKey {
  readonly id: string;
  /** Unknown of a key that was deleted. */
  readonly agent?: string;
  readonly isExpired: boolean;
}

export interface NewApiKey {
  readonly agent: string;
  readonly roles: readonly string[];
  readonly description?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
  readonly by: Author;
  /** All roles of the creator, which limit the roles of the key. Absent for the owner's own program, which may give any role. */
  readonly byRoles?: readonly string[];
}

export interface ApiKey {
  readonly id: string;
  readonly agent: string;
  readonly roles: readonly string[];
  readonly description?: string;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly expiresAt?: number;
}

/** The sources of tools, and their state. */
export interface Sources {
  list(): readonly SourceInfo[];
  /** "github" and "mcp:github" → "mcp:github", as the registry has it. An unknown name stays as it is. */
  registryIdOf(name: string): string;
  /** Resolves when every enabled source has been read once, or has failed. */
  ready(): Promise<void>;
  /** The same for those that wait for a source for a moment only: ten seconds since it began to connect. Undefined if none is connecting. */
  gathered(): Promise<void> | undefined;
  /** Approves what a source starts; `identity` is what was looked at. Undefined if there is no such source. */
  approve(id: string, identity: string, by: Author): Promise<SourceInfo | undefined>;
  /** Why a source cannot be used as it is configured: an unknown type, or options that do not fit its type. */
  faultOf(id: string, source: SourceConfig): string | undefined;
  /** Why it would never be started, such as a file that agents may change. */
  startFaultOf(id: string, source: SourceConfig): string | undefined;
  /** Keeps the text of an OpenAPI document in the store; answers the id for `openapi.document`. */
  keepDocument(text: string): Promise<string>;
  /** Removes such a document, unless a source uses it. */
  forgetDocument(id: string): Promise<void>;
  /** What the tools of an OpenAPI document would be. Nothing is imported. Throws CONFIG_INVALID, or SOURCE_FAILED, for a document that cannot be read. */
  plan(
    id: string,
    config: OpenApiSourceConfig,
    options: { readonly text?: string | undefined; readonly signal: AbortSignal },
  ): Promise<OpenApiPlan>;
  /** One operation of a document as a tool, and the request that it would send. Nothing is sent. */
  preview(
    id: string,
    config: OpenApiSourceConfig,
    options: {
      readonly text?: string | undefined;
      readonly signal: AbortSignal;
      /** "GET /pets" */
      readonly operation: string;
      readonly input?: unknown;
    },
  ): Promise<OpenApiPreview>;
  /** The sources whose tools models find by search, by their ids in the registry. */
  searched(): ReadonlySet<string>;
  /** The pools of workers as this server sees them, and the key by which workers know it. */
  workers(): WorkerPools;
  /** Takes workers that connect to this server instead of a broker. */
  readonly links: WorkerHub;
  /** Asks a worker to take no more calls, and to end when those that it has have ended. Answers whether this server knows it. */
  drain(instance: string): boolean;
  /** Reads the tools of a source again, now. */
  refresh(id: string): Promise<SourceInfo | undefined>;
}

export interface WorkerPools {
  /** "ed25519:…" */
  readonly publicKey: string;
  readonly pools: readonly WorkerPoolInfo[];
}

export interface WorkerPoolInfo {
  /** The id of the source. */
  readonly source: string;
  readonly pool: string;
  readonly state: SourceInfo["state"];
  readonly error?: string;
  /** Absent where workers connect to this server. */
  readonly broker?: BrokerState;
  /** How many tools it has here. */
  readonly tools: number;
  readonly workers: readonly WorkerFacts[];
  /** Workers that are refused, each with the reason and the fix. */
  readonly problems: readonly string[];
}

export interface SourceInfo {
  readonly id: string;
  /** "built-in", "openapi", "workers", "mcp-stdio", "mcp-http", or a type that a module adds. */
  readonly kind: string;
  /** A program waits for approval until exactly this command is approved. */
  readonly state: "ready" | "failed" | "starting" | "disabled" | "waiting-for-approval";
  /** Models find its tools by search, and do not have them listed. */
  readonly searched?: true;
  /** Names of its tools. */
  readonly tools: readonly string[];
  /** One line for each tool that was left out. */
  readonly problems: readonly string[];
  /** Tools that are not served because their definitions wait for a person. */
  readonly held?: readonly string[];
  readonly origin: string;
  readonly error?: string;
  readonly readAt?: number;
  /** Of a source that failed: when it is tried again, in milliseconds since 1970. */
  readonly retryAt?: number;
  /** The server is ready only while this source is. */
  readonly required?: true;
  /** Of the connection to an MCP server. */
  readonly connection?: string;
  /** Of a module: what it supplies beside its tools, by name. */
  readonly supplies?: ModuleSupplies;
  /** The hash of command, arguments, variables, files and folder, or of type and options. */
  readonly identity?: string;
  /** Of a program: the files whose content belongs to its identity. */
  readonly files?: readonly string[];
  /** As it is configured; of variables and headers only the names. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Prepared changes of the policy, to be reviewed and applied later or never. */
export interface PolicyDrafts {
  list(): Promise<readonly PolicyDraft[]>;
  get(id: string): Promise<PolicyDraft | undefined>;
  /** Throws CONFIG_INVALID if the result is inconsistent. */
  create(draft: { readonly title: string; readonly changes: PolicyDraft["changes"]; readonly by: Author }): Promise<PolicyDraft>;
  remove(id: string, by: Author): Promise<boolean>;
  /** Throws CONFIG_INVALID if the policy changed since the draft was made. */
  apply(id: string, by: Author): Promise<readonly Setting[] | undefined>;
}

export interface PolicyDraft {
  readonly id: string;
  readonly title: string;
  /** Key of a setting → its value, or null to remove it. */
  readonly changes: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly createdBy: string;
  /** Whether the policy is still the one that the draft was made against. */
  readonly isCurrent: boolean;
}

/** Removes data beyond the limits of the configuration. */
export interface Retention {
  readonly limits: RetentionLimits;
  /** What the last run of this server removed; undefined before the first. */
  last(): RetentionRun | undefined;
  /** Runs now, after a run in progress. */
  run(): Promise<RetentionRun>;
  close(): Promise<void>;
}

export interface RetentionRun {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly removed: RetentionCounts;
  readonly error?: string;
}

export interface RetentionCounts {
  readonly revisions: number;
  readonly deleted: number;
  readonly approvals: number;
  readonly tasks: number;
  /** Of agents: ended or removed. */
  readonly sessions: number;
  readonly answers: number;
  readonly auditLines: number;
}
