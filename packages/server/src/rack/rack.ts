import type { Answer, Caller, Logger, Progress, Registry, ToolBundle, ToolResult } from "@toolrack/core";
import type { Clock } from "@toolrack/core/node";
import type { ApprovalScope, ConfiguredPolicy, PolicyConfig } from "@toolrack/core/policy";
import type { ResultPeers, SessionStore, TaskStore } from "@toolrack/mcp";
import type { BreadcrumbStore, CallLog, Configs, Secrets } from "@toolrack/store";
import type { RackConfig, SourceConfig } from "../config/config.ts";
import type { RetentionLimits } from "../config/retention.ts";
import type { Agreement } from "./cluster/agreement.ts";
import type { WriteAudit } from "./audit/audit.ts";
import type { Author } from "./audit/author.ts";
import type { CallEnds } from "./calls/call-ends.ts";
import type { LoadedModules } from "./modules/loaded-modules.ts";
import type { ModuleSupplies } from "./modules/module.ts";
import type { MasterKey } from "./keys/key-rotation.ts";
import type { OwnerToken } from "./keys/owner-token.ts";
import type { Readiness } from "./cluster/readiness.ts";
import type { Recording } from "./calls/recording.ts";
import type { Servers } from "./cluster/servers.ts";
import type { StoreWatch } from "./store/store-watch.ts";

/**
 * Everything a running Toolrack holds, put together once: the registry over its sources, the store, and what lives between the two.
 * The HTTP API, MCP, the command line on a local store and the tests all work on one of these.
 */
export interface Rack {
  readonly registry: Registry;
  /** Seen with the eyes of the server itself, a curator; use `store.as(identity.actor)` for a caller. */
  readonly store: BreadcrumbStore;
  readonly configs: Configs;
  readonly secrets: Secrets;
  readonly calls: CallLog;
  /** What of the calls is not in the audit. */
  readonly recording: Recording;
  readonly running: RunningCalls;
  readonly callEnds: CallEnds;
  /** Whether the store works, as those who use it find. */
  readonly storeWatch: StoreWatch;
  /** How far this server is behind what the servers of the store share. */
  feedLagMs(): number;
  /** This server, and the others on the same store. */
  readonly servers: Servers;
  /** Whether they have the same master key, configuration and version. */
  readonly agreement: Agreement;
  /** Whether this one can do its work now. */
  readonly readiness: Readiness;
  readonly masterKey: MasterKey;
  readonly approvals: Approvals;
  readonly settings: Settings;
  /** What changed in the configuration file while the server runs, and waits for a person. */
  readonly configChanges: ConfigChanges;
  readonly keys: ApiKeys;
  /** Proves that somebody on this machine is the owner. */
  readonly ownerToken: OwnerToken;
  /** Long calls of MCP clients, known to every server on the same store. */
  readonly tasks: TaskStore;
  /** Sessions of legacy MCP clients, known to every server on the same store. */
  readonly mcpSessions: SessionStore;
  /** Pages of long results over MCP, from whichever server on the same store keeps them. */
  readonly mcpPages: ResultPeers;
  /** What one server signs with it, every other one on the same store can check. */
  readonly sharedKey: Uint8Array;
  readonly sources: Sources;
  /** What modules of the configuration add, beside tools. */
  readonly modules: LoadedModules;
  readonly drafts: PolicyDrafts;
  readonly log: Logger;
  readonly clock: Clock;
  /** As it was read at the start: what needs a restart to change (addresses, sign-in, store, limits) is taken from here. */
  readonly config: RackConfig;
  /** When it was opened, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly version: string;
  /** Adds a line about what somebody did to the server itself. */
  readonly audit: WriteAudit;
  readonly retention: Retention;
  /** Makes one call through `registry.invoke`, known to `running` from its start to its end. */
  call(tool: string, input: unknown, options: RackCallOptions): RunningCall;
  /** Ends or cancels what runs, lets go of sources and store. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

export interface RackCallOptions {
  readonly caller: Caller;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** The same key, tool and caller again: the first answer is given, also by another server on the same store. */
  readonly idempotencyKey?: string;
  readonly approval?: { readonly digest: string; readonly answer: Answer };
  readonly trace?: unknown;
}

/** A call on its way. */
export interface RunningCall {
  readonly callId: string;
  readonly tool: string;
  readonly caller: Caller;
  readonly startedAt: number;
  readonly result: Promise<ToolResult>;
  /** What was told so far, and what is told from now on, until the result. */
  progress(options?: { readonly signal?: AbortSignal }): AsyncIterable<Progress>;
  /** The reason is told to the caller. A `ToolError` decides over code and message, too. */
  cancel(reason?: string | Error): void;
}

export interface RunningCalls {
  get(callId: string): RunningCall | undefined;
  list(): readonly RunningCall[];
  /** Those of every server on the store. */
  listAll(): Promise<readonly Pick<RunningCall, "callId" | "tool" | "caller" | "startedAt">[]>;
  /** The result of a call that runs here or elsewhere, or that ended: by event, never by polling. Rejects after `timeoutMs`. */
  waitFor(callId: string, options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal }): Promise<ToolResult>;
  /** Whose call this is, and whether it still runs, here or elsewhere; undefined for one that nobody knows. */
  find(callId: string): Promise<{ readonly caller: Caller; readonly isRunning: boolean } | undefined>;
  /** Cancels a call that runs here or elsewhere. */
  cancel(callId: string, reason?: string): Promise<void>;
}

/** Calls that wait for a person. Kept in the store, so that any server can show and answer them. */
export interface Approvals {
  /** All that wait, on every server, the oldest first. */
  list(): Promise<readonly WaitingApproval[]>;
  /** How many wait, as far as this server knows; the store is not asked. */
  waiting(): number;
  /** One that waits; undefined where it was answered already or its call is gone. */
  get(id: string): Promise<WaitingApproval | undefined>;
  /** Undefined where it was answered already or its call is gone. */
  decide(id: string, decision: ApprovalDecision): Promise<WaitingApproval | undefined>;
  /** What people agreed to for longer than one call, and still holds. */
  remembered(): Promise<readonly RememberedApproval[]>;
  /** Takes such a yes back; false where there is none. */
  forget(id: string, by: Author): Promise<boolean>;
}

/** A yes that holds for the same tool and arguments when the same agent calls again. */
export interface RememberedApproval {
  readonly id: string;
  readonly tool: string;
  readonly digest: string;
  readonly caller: Caller;
  readonly scope: Exclude<ApprovalScope, "once">;
  readonly by: string;
  readonly decidedAt: number;
  /** Absent for one that holds until it is taken back. */
  readonly until?: number;
}

export interface WaitingApproval {
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  /** What the person is asked. */
  readonly message: string;
  readonly input: unknown;
  /** Of the tool and these arguments: the answer is about them and no others. */
  readonly digest: string;
  /** What shape an answer must have; absent where it is yes or no. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly askedAt: number;
  readonly expiresAt: number;
}

export interface ApprovalDecision {
  readonly approved: boolean;
  /** What the person saw; refused where the question is about other arguments. */
  readonly digest?: string;
  /** For a question that asks for more than a yes. */
  readonly value?: unknown;
  /** How long the answer holds. @default "once" */
  readonly scope?: ApprovalScope;
  readonly reason?: string;
  /** Who decided. */
  readonly by: Author;
}

/** The configuration file as the base, and records that override it by key. */
export interface Settings {
  /** As it holds now, with where each part comes from. */
  list(): readonly Setting[];
  get(key: string): Setting | undefined;
  /** Writes a record that overrides the file under this key; refused with CONFIG_INVALID where the whole would not hold any more. */
  set(key: string, value: unknown, by: Author): Promise<Setting>;
  /** Writes several at once, or none; null takes away what the file says. */
  setAll(changes: Readonly<Record<string, unknown>>, by: Author): Promise<readonly Setting[]>;
  /** What the policy would be with these changes; throws as `setAll` would. */
  preview(changes: Readonly<Record<string, unknown>>): { readonly policy: PolicyConfig; readonly configured: ConfiguredPolicy };
  /** Takes the override away; what the file says holds again. */
  reset(key: string, by: Author): Promise<Setting | undefined>;
  readonly policy: PolicyConfig;
  /** The same, read. */
  readonly configuredPolicy: ConfiguredPolicy;
  /** Every name under which the configuration lists an agent. */
  agentNames(): readonly string[];
  /** What is wrong with the file or the records as they are now; what held before stays in force. */
  readonly problems: readonly string[];
  /** Reads the file again, also without a change; settles when it was used or refused. */
  reload(): Promise<void>;
  agents(): readonly AgentSetting[];
  bundles(): readonly (ToolBundle & { readonly origin: string })[];
}

/** Changes of the file that a running server does not take by itself. */
export interface ConfigChanges {
  /** Undefined while nothing waits. */
  pending(): PendingConfig | undefined;
  /** Keys whose new values are in force only after a restart. */
  afterRestart(): readonly string[];
  /** Agrees to exactly this file; CONFIG_INVALID where the one on the disk is another by now, undefined where nothing waits. */
  approve(digest: string, by: Author): Promise<PendingConfig | undefined>;
  /** Told of each file that was used, or that waits. */
  subscribe(listener: (notice: ConfigNotice) => void): () => void;
}

/** A file of which something waits for a person. */
export interface PendingConfig {
  readonly file: string;
  /** Of the exact bytes of the file: what an approval is about. */
  readonly digest: string;
  /** "Changes in toolrack.config.yaml wait for approval: sources.github." */
  readonly message: string;
  /** Values that wait; those of variables and headers are not told. */
  readonly waiting: readonly { readonly part: string; readonly key: string; readonly before?: unknown; readonly after?: unknown }[];
  /** Keys that hold after a restart. */
  readonly restart: readonly string[];
}

export interface ConfigNotice {
  readonly digest: string;
  /** Keys that hold now. */
  readonly changed: readonly string[];
  readonly waiting: readonly string[];
  readonly restart: readonly string[];
  /** Sources to which a person agreed, as they are now. */
  readonly agreedSources: readonly string[];
  /** Who approved it; "file" where nobody had to. */
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
  readonly origin: string;
}

/** Keys for the API: the text is shown once, only its hash is kept. */
export interface ApiKeys {
  /** Whether there is a key now, also an expired one. */
  exist(): boolean;
  /** Whether there is or was one: revoking the last key takes this not back. */
  wereMade(): boolean;
  list(): Promise<readonly ApiKey[]>;
  create(key: NewApiKey): Promise<ApiKey & { readonly secret: string }>;
  revoke(id: string, by: Author): Promise<boolean>;
  /** Tells the id of each key that is revoked or deleted, on whichever server, until the function that it returns is called. */
  onEnd(listener: (id: string) => void): () => void;
  /** Whose key this is; undefined for an unknown, expired or revoked one. In constant time. */
  verify(secret: string): Promise<ApiKey | undefined>;
}

export interface NewApiKey {
  readonly agent: string;
  readonly roles: readonly string[];
  readonly description?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
  readonly by: Author;
  /** All roles of whoever makes the key: none is given that they do not have. Absent for the owner's own program, which may give any. */
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

/** Where tools come from, and how each is doing. */
export interface Sources {
  list(): readonly SourceInfo[];
  /** Settles when every source that is to run has been read once, or has failed. */
  ready(): Promise<void>;
  /** Agrees to what a program's source starts: `identity` is what was looked at. Undefined where there is no such source. */
  approve(id: string, identity: string, by: Author): Promise<SourceInfo | undefined>;
  /** Why a source cannot be used as it is configured: an unknown type, or options that do not fit its type. */
  faultOf(id: string, source: SourceConfig): string | undefined;
  /** Reads a source's list again, now. */
  refresh(id: string): Promise<SourceInfo | undefined>;
}

export interface SourceInfo {
  readonly id: string;
  /** "built-in", "mcp-stdio", "mcp-http", or a type that a module adds. */
  readonly kind: string;
  /** A program waits for approval while nobody has agreed to exactly this command. */
  readonly state: "ready" | "failed" | "starting" | "disabled" | "waiting-for-approval";
  /** Names of its tools. */
  readonly tools: readonly string[];
  /** One line for each tool that was left out. */
  readonly problems: readonly string[];
  readonly origin: string;
  readonly error?: string;
  readonly readAt?: number;
  /** Of the connection to an MCP server. */
  readonly connection?: string;
  /** Of a module: what it supplies beside its tools, by name. */
  readonly supplies?: ModuleSupplies;
  /** The hash of command, arguments, variables and folder, or of type and options. */
  readonly identity?: string;
  /** As it is configured; of variables and headers only the names. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Changes of the policy that somebody prepares, looks at, and puts into force later or never. */
export interface PolicyDrafts {
  list(): Promise<readonly PolicyDraft[]>;
  get(id: string): Promise<PolicyDraft | undefined>;
  /** Refused with CONFIG_INVALID where the whole would not hold. */
  create(draft: { readonly title: string; readonly changes: PolicyDraft["changes"]; readonly by: Author }): Promise<PolicyDraft>;
  remove(id: string, by: Author): Promise<boolean>;
  /** Refused with CONFIG_INVALID where the policy is another one than the draft was made against: look at it again. */
  apply(id: string, by: Author): Promise<readonly Setting[] | undefined>;
}

export interface PolicyDraft {
  readonly id: string;
  readonly title: string;
  /** Key of a setting → its value, or null to take it away. */
  readonly changes: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly createdBy: string;
  /** Whether the policy is still the one that the draft was made against. */
  readonly isCurrent: boolean;
}

/** Removes what is older or more than the configuration wants. */
export interface Retention {
  readonly limits: RetentionLimits;
  /** What the last run of this server removed; undefined before the first. */
  last(): RetentionRun | undefined;
  /** Runs now, after one that is under way. */
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
  readonly answers: number;
  readonly auditLines: number;
}
