import type { CallLimits, ToolBundle } from "@toolrack/core";
import type { PolicyConfig } from "@toolrack/core/policy";
import type { AcceptedFinding } from "@toolrack/core/scan";
import type { AgentConfig } from "./agents.ts";
import type { SourcePathsConfig, ToolOverlay } from "./overlay.ts";
import type { JobsConfig, StartupConfig } from "./jobs.ts";
import type { OpenApiSourceConfig } from "./openapi-source.ts";
import type { HooksConfig, ScheduleConfig, TriggerConfig } from "./automation.ts";
import type { WorkerSourceConfig } from "./worker-source.ts";

/** The content of `toolrack.config.yaml`. Every key is optional; an unknown one is an error. */
export interface RackConfig {
  readonly server?: ServerConfig;
  readonly signIn?: SignInConfig;
  readonly store?: StoreConfig;
  /** The folder that file tools work in; created if it is missing. @default "workspace" */
  readonly workspace?: string;
  readonly tools?: ToolsConfig;
  /** By id: further sources of tools. */
  readonly sources?: Readonly<Record<string, SourceConfig>>;
  /** Source → tool, by its name at the source → how it is shown and called here. */
  readonly overlays?: Readonly<Record<string, Readonly<Record<string, ToolOverlay>>>>;
  /** Who may use which tools. */
  readonly policy?: PolicyConfig;
  /** By id: facts about agents, and the agents that this server runs. */
  readonly agents?: Readonly<Record<string, AgentConfig>>;
  /** By name. */
  readonly bundles?: Readonly<Record<string, Omit<ToolBundle, "name">>>;
  readonly limits?: LimitsConfig;
  readonly search?: SearchConfig;
  readonly approvals?: ApprovalsConfig;
  readonly jobs?: JobsConfig;
  /** By name: tools that are called when the server starts. */
  readonly startup?: Readonly<Record<string, StartupConfig>>;
  readonly log?: LogConfig;
  readonly redaction?: { readonly fields?: readonly string[] };
  readonly retention?: RetentionConfig;
  /** Older names of `retention.auditDays` and `retention.auditRows`. */
  readonly audit?: AuditConfig;
  /** What happens when a source that is not our own code has a new or changed definition. */
  readonly trust?: TrustConfig;
  /** What the scanner does beyond definitions. */
  readonly scan?: ScanConfig;
  /** By id: calls at times. */
  readonly schedules?: Readonly<Record<string, ScheduleConfig>>;
  /** By id: calls after events. */
  readonly triggers?: Readonly<Record<string, TriggerConfig>>;
  /** Webhooks that are sent and taken. */
  readonly hooks?: HooksConfig;
}

/** What happens to results in which the scanner finds danger, and which findings a person accepted. */
export interface ScanConfig {
  /**
   * "off": results are not scanned. "warn": the call has a warning, which the caller and the audit log see. "mark": the text is also marked as
   * untrusted. "ask": it reaches the caller only after a person agreed. @default "off"
   */
  readonly results?: ResultScanMode;
  /** By id of a source, instead of `results`. */
  readonly sources?: Readonly<Record<string, ResultScanMode>>;
  /** By name of a tool, instead of what is said of its source. */
  readonly tools?: Readonly<Record<string, ResultScanMode>>;
  /** Each holds for one text: when the text changes, the finding is back. */
  readonly accept?: readonly AcceptedFinding[];
}

export const resultScanModes = ["off", "warn", "mark", "ask"] as const;
export type ResultScanMode = (typeof resultScanModes)[number];

/** Defaults for all sources under `sources`. Tools of packs, modules and plugins are our own code: their changes are followed. */
export interface TrustConfig extends SourceTrustConfig {
  /** False: what would be held is served and only reported. @default true */
  readonly enforce?: boolean;
}

export interface SourceTrustConfig {
  /**
   * A tool that was not seen before. "pin": it is served. "scan": it is served unless the scanner finds a warning or danger in it. "ask": it
   * waits for a person. @default "scan"; "ask" for sources that were added over the API
   */
  readonly first?: TrustFirst;
  /**
   * A definition that changed in more than its wording. "hold": the tool is not served until a person agrees. "keep-old": models keep the
   * approved text and schema, and arguments are checked against both. "follow": the change is served, unless the scanner finds danger. @default "hold"
   */
  readonly change?: TrustChange;
}

export const trustFirst = ["pin", "scan", "ask"] as const;
export type TrustFirst = (typeof trustFirst)[number];
export const trustChange = ["hold", "keep-old", "follow"] as const;
export type TrustChange = (typeof trustChange)[number];

export interface ServerConfig {
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** @default 7333 */
  readonly port?: number;
  /** The address that clients use, if a proxy is in front: "https://tools.example.com". Its host is allowed. */
  readonly publicUrl?: string;
  /** Further host names that clients may use, in addition to the address that the server listens on. */
  readonly allowedHosts?: readonly string[];
  /** Whether every caller has to sign in, also from this machine. @default true once an API key was created, and if tokens are accepted */
  readonly requireSignIn?: boolean;
  /** Origins of web pages that may use the API, in addition to the console. */
  readonly allowedOrigins?: readonly string[];
  /** A Unix socket to listen on, instead of host and port: a path, from the folder of the file. */
  readonly socket?: string;
  /** Who may connect to the socket, as text. @default "0600" */
  readonly socketMode?: string;
  /** Files for HTTPS, as PEM; read again when they change. @default HTTP */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** How long running calls may continue when the server stops. @default 10_000 */
  readonly graceMs?: number;
  /** How long a stopping server still accepts requests while it reports that it is not ready. @default 0 */
  readonly drainDelayMs?: number;
  /** Timeouts for clients. */
  readonly timeouts?: { readonly headersMs?: number; readonly requestMs?: number; readonly keepAliveMs?: number };
  /** Limits for each caller. */
  readonly limits?: Partial<ServerLimits>;
  /** What MCP clients are told. */
  readonly mcp?: McpConfig;
  /** What `/metrics` writes. */
  readonly metrics?: MetricsConfig;
}

export interface MetricsConfig {
  /** Whether durations of calls are also written under their earlier name, `toolrack_call_duration_seconds`. @default false */
  readonly oldNames?: boolean;
}

export interface McpConfig {
  /** A text for the model that begins the instructions; what the caller has, and how it is searched, follows. @default none */
  readonly instructions?: string;
  /** Whether each tool with a usage hint or examples has a prompt; clients show all of them in a menu. @default false */
  readonly toolPrompts?: boolean;
  /** Fields that tools in lists have at their top, for clients that read them there; they are always in `_meta`. @default none */
  readonly toolFields?: readonly ("category" | "optionality")[];
}

/** Limits for callers. A refusal is a 429 with Retry-After, unless stated otherwise. */
export interface ServerLimits {
  /** The largest body; more is a 413. @default 4_194_304 */
  readonly bodyBytes: number;
  /** The maximum number of values in the JSON of a body; more is a 400. @default 100_000 */
  readonly jsonValues: number;
  /** The largest response; more is a 400 that suggests a smaller request. @default 16_777_216 */
  readonly answerBytes: number;
  /** For each caller, on average. @default 1_000 */
  readonly requestsPerSecond: number;
  /** Concurrent requests of one caller, including calls. @default 1_000 */
  readonly requestsPerCaller: number;
  /** The same for all callers together. @default 20_000 */
  readonly requests: number;
  /** Queued long requests of one caller: exports, usage, checks, bodies above 64 kB. @default 16 */
  readonly heavyPerCaller: number;
  /** The same for all callers together. @default 256 */
  readonly heavy: number;
  /** Open event streams of one caller. @default 32 */
  readonly streamsPerCaller: number;
  /** Open event streams of all callers. @default 5_000 */
  readonly streams: number;
  /** MCP sessions of one caller for which settings are stored; the oldest is dropped first. @default 100 */
  readonly sessionsPerCaller: number;
  /** Stored MCP tasks of one caller; finished ones are dropped, and while none is finished a call does not become a task. @default 100 */
  readonly tasksPerCaller: number;
  /** Stored answers of one caller for its Idempotency-Keys; the oldest is dropped first. @default 500 */
  readonly answersPerCaller: number;
}

export interface SignInConfig {
  readonly jwt?: JwtConfig;
}

export interface JwtConfig {
  readonly issuer: string;
  /** The accepted audience: a name, or a list of which a token needs one. */
  readonly audience: string | readonly string[];
  /** The URL where the issuer publishes its keys. */
  readonly jwksUrl?: string;
  /** A file with the keys, instead of the URL. */
  readonly jwksFile?: string;
  /** @default ["RS256", "ES256", "EdDSA"] */
  readonly algorithms?: readonly string[];
  /** The claim that names the agent. @default "sub" */
  readonly agentClaim?: string;
  /** The claim that lists the roles. @default "roles" */
  readonly rolesClaim?: string;
  /** Whether only tokens with the type at+jwt (RFC 9068) are accepted. @default false */
  readonly requireType?: boolean;
  /** How long the issuer's keys are used before they are read again. From 1 second to 1 hour. @default 300_000 */
  readonly keysMaxAgeMs?: number;
}

/** One of sqlite, postgres and memory. @default { sqlite: ".toolrack/toolrack.db" } */
export interface StoreConfig {
  /** A file. */
  readonly sqlite?: string;
  /** A connection string, "env:NAME" for the variable that holds it. */
  readonly postgres?: string;
  /** Whether everything is kept in memory, and lost when the process ends. */
  readonly memory?: boolean;
  /** PostgreSQL: a direct connection for LISTEN, if `postgres` is behind a connection pooler; "env:NAME" as well. */
  readonly listenUrl?: string;
  /** PostgreSQL: the database schema that holds the tables. @default "toolrack" */
  readonly schema?: string;
  /** PostgreSQL: the maximum number of connections, in addition to the one that listens. @default 10 */
  readonly poolSize?: number;
  /** PostgreSQL: how long to wait for a connection. @default 5_000 */
  readonly connectTimeoutMs?: number;
  /** PostgreSQL: how long a statement may take. @default 10_000 */
  readonly statementTimeoutMs?: number;
  /** How long a writer waits for a lock of another server. @default 5_000 */
  readonly lockTimeoutMs?: number;
  /** PostgreSQL: how long a statement of a migration or of maintenance may take. @default 600_000 */
  readonly maintenanceTimeoutMs?: number;
  /** PostgreSQL: how often to poll for changes of other servers if LISTEN does not work. @default 500 */
  readonly pollMs?: number;
}

export interface ToolsConfig {
  /** The built-in tools. */
  readonly packs?: PacksConfig;
  /** Disabled tools. */
  readonly disabled?: readonly string[];
  /** By tool and action: false disables this value of the tool's parameter `action`. @default every action is enabled */
  readonly actions?: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
  /** Tools that are defined by records. */
  readonly records?: RecordsConfig;
  /** Modules whose default export is a tool, a list of tools, or the value of `defineModule`. */
  readonly modules?: readonly string[];
  /** Plugins of a folder: modules that export `register(api)`. */
  readonly plugins?: PluginsConfig;
  /** Whether the server refuses to start if a module cannot be loaded. @default false */
  readonly requireModules?: boolean;
  /** Whether the output of a tool is checked against its output schema; "strict" turns an output that does not match into an error. @default "warn" */
  readonly outputValidation?: "off" | "warn" | "strict";
  /** Whether near-miss inputs ("5" for 5) are read as they were meant; the result lists what was changed. @default false */
  readonly repairInputs?: boolean;
  /** Other name → the tool that it means in a call, where no tool has that very name; policies do not know them. @default none */
  readonly aliases?: Readonly<Record<string, string>>;
}

export interface PluginsConfig {
  /** Where the plugins are: a path, from the folder of the file. */
  readonly folder: string;
  /** The names of the files or folders that are loaded, without an ending; nothing else is imported. @default none */
  readonly allow?: readonly string[];
}

export interface RecordsConfig {
  /**
   * Hosts, or hosts with a port, that HTTP records may reach although their address is private. An address of this server needs its port, and a
   * cloud's metadata service its own address. @default none
   */
  readonly allowHosts?: readonly string[];
  /** Programs of this machine that records of the kind `process` may run. @default none */
  readonly processes?: RecordProcessesConfig;
}

export interface RecordProcessesConfig {
  /** Each as definitions write it: a name on the PATH, or a path. */
  readonly programs: readonly string[];
  /** How long a program may run at most. @default 30_000 */
  readonly timeoutMs?: number;
  /** Memory of a program with all that it starts. @default 536_870_912 */
  readonly maxMemoryBytes?: number;
  /** Whether programs reach the network. @default false */
  readonly network?: boolean;
  /** Absolute paths that programs may read, besides the system's own folders. @default none */
  readonly readable?: readonly string[];
  /** Whether programs run without isolation, with all that the user of the server may do. @default false */
  readonly unconfined?: boolean;
}

/** The built-in packs. */
export const packNames = [
  "files",
  "runtime",
  "code",
  "web",
  "memory",
  "commerce",
  "publish",
  "media",
  "messages",
  "browser",
  "sessions",
  "automation",
  "canvas",
  "utility",
  "search",
  "programs",
] as const;
export type PackName = (typeof packNames)[number];

export function isPackName(name: string): name is PackName {
  return (packNames as readonly string[]).includes(name);
}

type PackSetting = boolean | Readonly<Record<string, unknown>>;

/**
 * By name of the pack, a built-in one or one that a module adds: its options, true for its defaults, false to leave it out.
 * @default utility and sessions
 */
export type PacksConfig = Readonly<Partial<Record<PackName, PackSetting>> & Record<string, PackSetting | undefined>>;

/** A source of tools: an MCP server (a program that is started, or a URL), an OpenAPI document, a pool of workers, or a type of source that a module adds. */
/** What an MCP server says to models beside its tools. */
export type PassedOn = "instructions" | "prompts" | "resources";

export interface SourceConfig {
  /** "mcp", or a type of source that a module adds. @default "mcp" */
  readonly type?: string;
  /** Options of a type that a module adds. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The API that an OpenAPI document describes. */
  readonly openapi?: OpenApiSourceConfig;
  /** A pool of workers, which run the handlers of its tools elsewhere. */
  readonly workers?: WorkerSourceConfig;
  readonly command?: string;
  readonly args?: readonly string[];
  /** Environment variables of the program; values may be `secret:<name>`. It inherits only the variables that every program needs. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Whether a package runner (npx, uvx …) may fetch a package without an exact version. @default false */
  readonly allowUnpinned?: boolean;
  readonly url?: string;
  /** Hosts, or hosts with a port, that are allowed although their address is private. @default none */
  readonly allowHosts?: readonly string[];
  /** Values may be `secret:<name>`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What clients get of an MCP server beside its tools, once it is approved as they are. @default nothing */
  readonly passOn?: readonly PassedOn[];
  /** How many tools an MCP server may list; one that lists more is not used. @default 1_000 */
  readonly maxTools?: number;
  /** Which parameters of its tools hold paths, for an MCP server or an API. @default none: the workspace does not bound them */
  readonly paths?: SourcePathsConfig;
  /** @default true */
  readonly enabled?: boolean;
  /** Whether the server is ready only while this source is. @default false */
  readonly required?: boolean;
  /** How new and changed definitions are treated. @default `trust` of the whole file */
  readonly trust?: SourceTrustConfig;
}

export type LimitsConfig = Pick<
  CallLimits,
  "timeoutMs" | "concurrency" | "maxResultBytes" | "rate" | "callsPerRun" | "retry" | "loops" | "circuitBreaker" | "depth" | "inputKeys"
>;

/** How tools are found. */
export interface SearchConfig {
  /** A service with the embeddings API of OpenAI that reorders what is found by words. @default words alone */
  readonly embeddings?: SearchEmbeddingsConfig;
}

export interface SearchEmbeddingsConfig {
  /** What comes before "/embeddings" in its address: "http://localhost:11434/v1". Its host may be a private one. */
  readonly url: string;
  readonly model: string;
  /** The secret that holds its key. @default no key is sent */
  readonly secret?: string;
  /** The weight of meaning against words, from 0 to 1. @default 0.5 */
  readonly weight?: number;
  /** For all requests of one search; after it the order by words is the answer. @default 3_000 */
  readonly timeoutMs?: number;
}

export interface ApprovalsConfig {
  /** How long a call waits for approval. @default 600_000 */
  readonly waitMs?: number;
  /** How long an approval for a session is valid. @default 86_400_000 */
  readonly sessionMs?: number;
  /** How many calls of one principal may wait for approval at the same time, on all servers of the store. @default 20 */
  readonly maxWaiting?: number;
  /** How many calls may wait for approval in total. @default 1_000 */
  readonly maxWaitingTotal?: number;
  /** Whether MCP clients may ask their own user for approval. @default only the owner's client */
  readonly askClients?: boolean;
}

/** How long old data is retained. Defaults: `retention.ts`. */
export interface RetentionConfig {
  /** How many of the newest revisions of a record; all of tool definitions are kept. @default 200 */
  readonly revisionsPerRecord?: RetentionLimit;
  /** Deleted and expired records, with their history. @default 90 */
  readonly deletedDays?: RetentionLimit;
  /** Approval requests that ended. @default 30 */
  readonly approvalsDays?: RetentionLimit;
  /** Finished tasks of MCP clients. @default 168 */
  readonly tasksHours?: RetentionLimit;
  /** Sessions of agents that nobody uses: so long after their last change they are ended, and so long after their end removed. @default "forever" */
  readonly sessionsDays?: RetentionLimit;
  /** Stored answers to requests with an idempotency key. @default 24 */
  readonly answersHours?: number;
  /** How long a reader of the event stream may be disconnected and still resume; no change is removed earlier. @default 7 */
  readonly eventsDays?: RetentionLimit;
  /** Entries of the audit log. @default "forever" */
  readonly auditDays?: RetentionLimit;
  /** How many entries of the audit log. @default "forever" */
  readonly auditRows?: RetentionLimit;
}

/** "forever": nothing is removed. */
export type RetentionLimit = number | "forever";

/** What the server writes to standard error. */
export interface LogConfig {
  /** The lowest level that is logged. @default "info" */
  readonly level?: "debug" | "info" | "warn" | "error" | "silent";
  /** "pretty": for people. "text": every field as key=value. "auto": pretty on a terminal, JSON lines elsewhere. @default "auto" */
  readonly format?: "auto" | "pretty" | "text" | "json";
  /** Whether every request is logged. @default true */
  readonly requests?: boolean;
  /** Whether every call is logged. @default true */
  readonly calls?: boolean;
  /** Lines beyond this limit are counted instead of written. Warnings and errors have a limit of their own, of the same size. @default 2_000 */
  readonly linesPerSecond?: number;
}

export interface AuditConfig {
  /** Older entries are removed. @default none */
  readonly maxAgeDays?: number;
  /** The oldest entries beyond this number are removed. @default none */
  readonly maxRows?: number;
  /** What happens to a call whose start cannot be recorded: "refuse" does not run it, "warn" runs it, counts it and logs an error. @default "refuse" */
  readonly onFailure?: "refuse" | "warn";
}
