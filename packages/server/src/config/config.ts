import type { CallLimits, PolicyConfig, ToolBundle } from "@toolrack/core";

/** What `toolrack.config.yaml` may say. Every key is optional; an unknown one is an error. */
export interface RackConfig {
  readonly server?: ServerConfig;
  readonly signIn?: SignInConfig;
  readonly store?: StoreConfig;
  /** Where tools with path parameters may work; made when it is missing. @default "workspace" */
  readonly workspace?: string;
  readonly tools?: ToolsConfig;
  /** By id: servers whose tools hang here too. */
  readonly sources?: Readonly<Record<string, SourceConfig>>;
  /** Who may use what. */
  readonly policy?: PolicyConfig;
  /** By id: what is known of an agent. */
  readonly agents?: Readonly<Record<string, AgentConfig>>;
  /** By name. */
  readonly bundles?: Readonly<Record<string, Omit<ToolBundle, "name">>>;
  readonly limits?: LimitsConfig;
  readonly approvals?: ApprovalsConfig;
  readonly log?: LogConfig;
  readonly redaction?: { readonly fields?: readonly string[] };
  readonly retention?: RetentionConfig;
  /** Older names of `retention.auditDays` and `retention.auditRows`. */
  readonly audit?: AuditConfig;
}

export interface ServerConfig {
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** @default 7333 */
  readonly port?: number;
  /** Where clients reach the server, when a proxy stands before it: "https://tools.example.com". Its host is allowed. */
  readonly publicUrl?: string;
  /** Names under which clients reach the server, beside the address it listens on. */
  readonly allowedHosts?: readonly string[];
  /** Nobody comes in without signing in, also on this machine. @default true once there is, or was, an API key, and where tokens are accepted */
  readonly requireSignIn?: boolean;
  /** Web pages that may use the API, beside the console. */
  readonly allowedOrigins?: readonly string[];
  /** A Unix socket to listen on, instead of host and port: a path, from the folder of the file. */
  readonly socket?: string;
  /** Who may connect to the socket, as text. @default "0600" */
  readonly socketMode?: string;
  /** Files for HTTPS, as PEM; read again when they change. @default HTTP */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** How long calls may go on when the server stops. @default 10_000 */
  readonly graceMs?: number;
  /** How long a server that stops goes on accepting requests, while it says that it is not ready. @default 0 */
  readonly drainDelayMs?: number;
  /** How long clients may take. */
  readonly timeouts?: { readonly headersMs?: number; readonly requestMs?: number; readonly keepAliveMs?: number };
  /** What one caller may ask of the server. */
  readonly limits?: Partial<ServerLimits>;
}

/** How much a caller may ask for. A refusal is a 429 with Retry-After, unless something else is said. */
export interface ServerLimits {
  /** Of one body; more is a 413. @default 4_194_304 */
  readonly bodyBytes: number;
  /** How many values the JSON of a body may have; more is a 400. @default 100_000 */
  readonly jsonValues: number;
  /** Of one answer; more is a 400 that says to ask for less. @default 16_777_216 */
  readonly answerBytes: number;
  /** On average, for each caller. @default 1_000 */
  readonly requestsPerSecond: number;
  /** Requests of one caller that are worked on at the same time, calls of tools among them. @default 1_000 */
  readonly requestsPerCaller: number;
  /** And of all callers. @default 20_000 */
  readonly requests: number;
  /** Requests of one caller whose work takes long (exports, usage, checks, bodies above 64 kB) that may wait. @default 16 */
  readonly heavyPerCaller: number;
  /** And of all callers. @default 256 */
  readonly heavy: number;
  /** Event streams that one caller may have open. @default 32 */
  readonly streamsPerCaller: number;
  /** Event streams of all callers. @default 5_000 */
  readonly streams: number;
  /** MCP sessions of one caller that something is kept for; the oldest goes first. @default 100 */
  readonly sessionsPerCaller: number;
  /** MCP tasks of one caller that are kept; finished ones make room, and while none is finished a call does not become a task. @default 100 */
  readonly tasksPerCaller: number;
  /** Answers of one caller that are kept for its Idempotency-Keys; the oldest goes first. @default 500 */
  readonly answersPerCaller: number;
}

export interface SignInConfig {
  readonly jwt?: JwtConfig;
}

export interface JwtConfig {
  readonly issuer: string;
  /** For whom tokens must be made: one name, or several of which a token needs one. */
  readonly audience: string | readonly string[];
  /** Where the issuer publishes its keys. */
  readonly jwksUrl?: string;
  /** A file with the same content, instead. */
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

/** One of them. @default { sqlite: ".toolrack/toolrack.db" } */
export interface StoreConfig {
  /** A file. */
  readonly sqlite?: string;
  /** A connection string, "env:NAME" for the variable that holds it. */
  readonly postgres?: string;
  /** Nothing outlives the process. */
  readonly memory?: boolean;
  /** PostgreSQL: a direct connection for LISTEN, where `postgres` leads through a connection pooler; "env:NAME" as well. */
  readonly listenUrl?: string;
  /** PostgreSQL: the database schema that holds the tables. @default "toolrack" */
  readonly schema?: string;
  /** PostgreSQL: how many connections at most, beside the one that listens. @default 10 */
  readonly poolSize?: number;
  /** PostgreSQL: how long to wait for a connection. @default 5_000 */
  readonly connectTimeoutMs?: number;
  /** PostgreSQL: how long a statement may take. @default 10_000 */
  readonly statementTimeoutMs?: number;
  /** How long a writer waits for a lock of another server. @default 5_000 */
  readonly lockTimeoutMs?: number;
  /** PostgreSQL: how long a statement of a migration or of maintenance may take. @default 600_000 */
  readonly maintenanceTimeoutMs?: number;
  /** PostgreSQL: how often to look for changes of other servers while LISTEN does not work. @default 500 */
  readonly pollMs?: number;
}

export interface ToolsConfig {
  /** The built-in tools. */
  readonly packs?: PacksConfig;
  /** Tools that are switched off. */
  readonly disabled?: readonly string[];
  /** Modules whose default export is a tool, a list of tools, or the value of `defineModule`. */
  readonly modules?: readonly string[];
}

/** The built-in packs. */
export const packNames = ["files", "runtime", "code", "web", "memory", "commerce", "utility", "search", "unavailable"] as const;
export type PackName = (typeof packNames)[number];

export function isPackName(name: string): name is PackName {
  return (packNames as readonly string[]).includes(name);
}

type PackSetting = boolean | Readonly<Record<string, unknown>>;

/**
 * By name of the pack, a built-in one or one that a module adds: its options, true for its defaults, false to leave it out.
 * @default utility and unavailable
 */
export type PacksConfig = Readonly<Partial<Record<PackName, PackSetting>> & Record<string, PackSetting | undefined>>;

/** A source of tools: an MCP server (a program that is started, or a URL), or a type of source that a module adds. */
export interface SourceConfig {
  /** "mcp", or a type of source that a module adds. @default "mcp" */
  readonly type?: string;
  /** Options of a type that a module adds. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly command?: string;
  readonly args?: readonly string[];
  /** Variables of the program; values may be `secret:<name>`. Of this process's own it sees only what every program needs. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Whether a package runner (npx, uvx …) may fetch a package without an exact version. @default false */
  readonly allowUnpinned?: boolean;
  readonly url?: string;
  /** Hosts, or hosts with a port, that may be reached although their address is not public. @default none */
  readonly allowHosts?: readonly string[];
  /** Values may be `secret:<name>`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default true */
  readonly enabled?: boolean;
}

export interface AgentConfig {
  readonly description?: string;
  readonly provider?: string;
  readonly model?: string;
}

export type LimitsConfig = Pick<
  CallLimits,
  "timeoutMs" | "concurrency" | "maxResultBytes" | "rate" | "callsPerRun" | "retry" | "loops" | "circuitBreaker" | "depth"
>;

export interface ApprovalsConfig {
  /** How long a call waits for a person. @default 600_000 */
  readonly waitMs?: number;
  /** How long a yes for a session holds. @default 86_400_000 */
  readonly sessionMs?: number;
  /** How many calls of one principal may wait for a person at a time, on all servers of the store. @default 20 */
  readonly maxWaiting?: number;
  /** How many calls may wait for a person altogether. @default 1_000 */
  readonly maxWaitingTotal?: number;
  /** Whether MCP clients may put the question to the person in front of them. @default only the owner's */
  readonly askClients?: boolean;
}

/** How long what is no longer the newest stays; "forever" keeps it. Defaults: `retention.ts`. */
export interface RetentionConfig {
  /** How many of the newest revisions of a record; those of tool definitions all stay. @default 200 */
  readonly revisionsPerRecord?: Kept;
  /** Records that were removed or expired, with their history. @default 90 */
  readonly deletedDays?: Kept;
  /** Questions to a person that were answered or ended. @default 30 */
  readonly approvalsDays?: Kept;
  /** Tasks of MCP clients that ended. @default 168 */
  readonly tasksHours?: Kept;
  /** First answers to requests with an idempotency key. @default 24 */
  readonly answersHours?: number;
  /** For so long a reader of the events can be away and go on; no change is removed before, whatever the other keys say. @default 7 */
  readonly eventsDays?: Kept;
  /** Lines of the audit. @default "forever" */
  readonly auditDays?: Kept;
  /** How many lines of the audit. @default "forever" */
  readonly auditRows?: Kept;
}

export type Kept = number | "forever";

/** What the server writes to standard error. */
export interface LogConfig {
  /** The lowest level that is logged. @default "info" */
  readonly level?: "debug" | "info" | "warn" | "error" | "silent";
  /** "auto": text on a terminal, JSON lines elsewhere. @default "auto" */
  readonly format?: "auto" | "json" | "text";
  /** Whether each request is a line. @default true */
  readonly requests?: boolean;
  /** Whether each call is a line. @default true */
  readonly calls?: boolean;
  /** Lines beyond this limit are counted instead of written. Warnings and errors have a limit of their own, of the same size. @default 2_000 */
  readonly linesPerSecond?: number;
}

export interface AuditConfig {
  /** Older lines are removed. @default none */
  readonly maxAgeDays?: number;
  /** The oldest lines beyond this number are removed. @default none */
  readonly maxRows?: number;
  /** What becomes of a call whose start cannot be recorded: "refuse" does not run it, "warn" runs it, counts it and logs an error. @default "refuse" */
  readonly onFailure?: "refuse" | "warn";
}
