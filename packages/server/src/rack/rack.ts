import type { Answer, ApprovalScope, Caller, Logger, PolicyConfig, Progress, Registry, ToolBundle, ToolResult } from "@toolrack/core";
import type { BreadcrumbStore, CallLog, Configs, Secrets } from "@toolrack/store";

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
  readonly running: RunningCalls;
  readonly approvals: Approvals;
  readonly settings: Settings;
  readonly keys: ApiKeys;
  readonly log: Logger;
  /** When it was opened, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly version: string;
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
  cancel(reason?: string): void;
}

export interface RunningCalls {
  get(callId: string): RunningCall | undefined;
  list(): readonly RunningCall[];
  /** The result of a call that runs here or elsewhere, or that ended: by event, never by polling. Rejects after `timeoutMs`. */
  waitFor(callId: string, options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal }): Promise<ToolResult>;
}

/** Calls that wait for a person. Kept in the store, so that any server can show and answer them. */
export interface Approvals {
  list(): Promise<readonly WaitingApproval[]>;
  /** Undefined where it was answered already or its call is gone. */
  decide(id: string, decision: ApprovalDecision): Promise<WaitingApproval | undefined>;
}

export interface WaitingApproval {
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  /** What the person is asked. */
  readonly message: string;
  readonly input: unknown;
  readonly digest: string;
  readonly caller: Caller;
  readonly askedAt: number;
  readonly expiresAt: number;
}

export interface ApprovalDecision {
  readonly approved: boolean;
  /** How long the answer holds. @default "once" */
  readonly scope?: ApprovalScope;
  readonly reason?: string;
  /** Who decided. */
  readonly by: string;
}

/** The configuration file as the base, and records that override it by key. */
export interface Settings {
  /** As it holds now, with where each part comes from. */
  list(): readonly Setting[];
  get(key: string): Setting | undefined;
  /** Writes a record that overrides the file under this key; refused with CONFIG_INVALID where the whole would not hold any more. */
  set(key: string, value: unknown, by: string): Promise<Setting>;
  /** Takes the override away; what the file says holds again. */
  reset(key: string, by: string): Promise<Setting | undefined>;
  readonly policy: PolicyConfig;
  agents(): readonly AgentSetting[];
  bundles(): readonly (ToolBundle & { readonly origin: string })[];
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
  /** False until the first key was made: then the owner of the machine is trusted on loopback. */
  exist(): Promise<boolean>;
  list(): Promise<readonly ApiKey[]>;
  create(key: NewApiKey): Promise<ApiKey & { readonly secret: string }>;
  revoke(id: string, by: string): Promise<boolean>;
  /** Whose key this is; undefined for an unknown, expired or revoked one. In constant time. */
  verify(secret: string): Promise<ApiKey | undefined>;
}

export interface NewApiKey {
  readonly agent: string;
  readonly roles: readonly string[];
  readonly description?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
  readonly by: string;
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
