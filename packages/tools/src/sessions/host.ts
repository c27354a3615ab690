import type { CallContext, ToolResult } from "@toolrack/core";
import type { SessionKind } from "@toolrack/core/internal";

export type { SessionKind };

export const sessionKinds: readonly SessionKind[] = Object.freeze(["main", "group", "cron", "hook", "node", "subagent", "other"] as const);

export type SessionStatus = "idle" | "running" | "waiting" | "ended";

/** Who a message comes from: written by the host, never by the message. */
export interface SessionOrigin {
  readonly kind: "person" | "session" | "schedule" | "webhook" | "agent" | "system";
  /** Who exactly: the key of a session, the name of a schedule, a principal. */
  readonly id?: string;
}

export interface SessionSummary {
  readonly id: string;
  /** "agent:support:main": a name, never a right. */
  readonly key: string;
  readonly agent: string;
  readonly kind: SessionKind;
  readonly label?: string;
  readonly status: SessionStatus;
  readonly model?: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Of all turns together. */
  readonly tokens: number;
  readonly costUsd?: number;
}

/** A message as it is stored. What is not named here (blocks, signatures, items of vendors) is never shown. */
export interface SessionMessage {
  readonly role: "user" | "assistant" | "tool" | "summary";
  readonly content?: string;
  readonly from?: SessionOrigin;
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
  readonly results?: readonly ToolResult[];
}

export interface StoredSessionMessage {
  /** 1, 2, 3 … */
  readonly seq: number;
  readonly at: number;
  readonly message: SessionMessage;
}

export interface SessionListFilter {
  readonly kinds?: readonly SessionKind[];
  readonly agentId?: string;
  /** Exactly this label. */
  readonly label?: string;
  /** Part of the key or of the label, without case. */
  readonly search?: string;
  /** Only sessions that changed at this time or later. */
  readonly activeSince?: number;
  readonly limit: number;
  readonly offset: number;
}

export interface SessionHistory {
  readonly session: SessionSummary;
  /** The oldest first. */
  readonly messages: readonly StoredSessionMessage[];
  /** Whether there are older ones. */
  readonly more: boolean;
}

export type SendOutcome =
  /** `accepted`: nobody waits. `timeout`: the wait is over, the run goes on. */
  | { readonly status: "ok"; readonly runId: string; readonly reply: string }
  | { readonly status: "accepted" | "timeout"; readonly runId: string }
  | { readonly status: "error" | "forbidden"; readonly error: string; readonly runId?: string };

export const sessionThinking = ["off", "low", "medium", "high"] as const;
export type ThinkingLevel = (typeof sessionThinking)[number];

export interface SpawnRequest {
  readonly task: string;
  readonly label?: string;
  /** @default the agent of the caller */
  readonly agentId?: string;
  /** @default that of the agent */
  readonly model?: string;
  /** How much its model thinks before it answers. @default as the model has it */
  readonly thinking?: ThinkingLevel;
  /** 0: no limit. */
  readonly runTimeoutSeconds: number;
  /** `run`: it ends with its first answer. `session`: it stays, and takes messages. */
  readonly mode: "run" | "session";
  /** Whether its messages are kept after its end. */
  readonly cleanup: "keep" | "delete";
  /** Names and globs: of the tools that the caller has, the child has only these. */
  readonly tools?: readonly string[];
}

export type SpawnOutcome =
  | { readonly status: "accepted"; readonly childSessionKey: string; readonly runId: string }
  | { readonly status: "forbidden" | "error"; readonly error: string };

/** One run of a session that the caller's session spawned, directly or through a child. */
export interface ChildRun {
  readonly id: string;
  readonly sessionKey: string;
  readonly label?: string;
  readonly task: string;
  readonly agent: string;
  readonly model?: string;
  readonly status: "running" | "done" | "failed" | "timeout" | "cancelled";
  readonly startedAt: number;
  readonly endedAt?: number;
}

export type SteerOutcome =
  | { readonly status: "steered" }
  /** It was steered a moment ago. */
  | { readonly status: "wait"; readonly retryAfterMs: number }
  | { readonly status: "ended" };

export interface SessionCard extends SessionSummary {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Messages that wait for the next turn. */
  readonly queued: number;
  readonly runningChildren: number;
}

export type ModelChange = { readonly ok: true; readonly changed: boolean } | { readonly ok: false; readonly error: string };

export interface AgentList {
  readonly requester: string;
  /** Whether the requester may spawn any agent. */
  readonly allowAny: boolean;
  /** Those that the requester may spawn, and the requester itself, first. */
  readonly agents: readonly { readonly id: string; readonly name?: string; readonly configured: boolean }[];
}

/**
 * Sessions, seen with the eyes of one caller.
 * Contract:
 * - `mayUse` decides what is in sight. What is not answers exactly as if it did not exist: it is left out of lists, and `undefined`.
 * - A session is named by its key or its id.
 * - Where a message is from is written by the host, from the caller.
 * - A child has no tool that its parent lacks (`inheritTools`, `childCaller`), and its end is a message to its parent.
 * - Nothing is thrown for what a model may get wrong.
 */
export interface SessionsHost {
  /** The key of the session that the call belongs to; undefined for a call from outside. */
  readonly own: string | undefined;
  /** The newest first, by `updatedAt`. */
  list(filter: SessionListFilter): Promise<readonly SessionSummary[]>;
  /** The newest messages but for `offset`, at most `limit`. */
  history(session: string, options: { readonly limit: number; readonly offset: number }): Promise<SessionHistory | undefined>;
  /** Hands a message to a session, and waits for the end of the run that answers it. 0: does not wait. */
  send(
    session: string,
    message: string,
    options: { readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<SendOutcome | undefined>;
  spawn(request: SpawnRequest): Promise<SpawnOutcome>;
  /** The newest first: what runs, and what ended since this time. */
  children(options: { readonly endedSince: number }): Promise<readonly ChildRun[]>;
  /** Hands a message to a running child, which reads it between turns. */
  steer(child: string, message: string): Promise<SteerOutcome | undefined>;
  /** Ends a child and what it spawned. False if nothing ran any more. */
  cancel(child: string): Promise<boolean | undefined>;
  /** @param session the caller's own, if absent */
  status(session?: string): Promise<SessionCard | undefined>;
  /** @param model the agent's own, if absent */
  setModel(session: string, model: string | undefined): Promise<ModelChange | undefined>;
  agents(): Promise<AgentList>;
}

/** How tools come by the sessions of a call. */
export type OpenSessions = (context: Pick<CallContext, "caller">) => SessionsHost | Promise<SessionsHost>;
