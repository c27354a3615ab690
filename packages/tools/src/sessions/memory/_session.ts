import { randomUUID } from "node:crypto";
import type { Caller } from "@toolrack/core";
import { sessionKind } from "@toolrack/core/internal";
import type { ChildRun, SendOutcome, SessionMessage, SessionStatus, SessionSummary, StoredSessionMessage, ThinkingLevel } from "../host.ts";
import type { SightedSession } from "../sight.ts";

/** A session as the memory keeps it. */
export interface MemorySession extends SightedSession {
  readonly key: string;
  readonly label: string | undefined;
  readonly parent: MemorySession | undefined;
  readonly depth: number;
  readonly createdAt: number;
  /** Of all calls that it makes, without its model. */
  readonly caller: Caller;
  readonly messages: StoredSessionMessage[];
  readonly inbox: InboxItem[];
  readonly usage: { inputTokens: number; outputTokens: number; costUsd: number | undefined };
  /** How it was spawned. */
  readonly spawned: Spawned | undefined;
  status: SessionStatus;
  model: string | undefined;
  updatedAt: number;
  /** Ends the run that is under way. */
  abort: AbortController | undefined;
}

export interface InboxItem {
  readonly message: SessionMessage;
  readonly runId: string;
  /** Told once, when the run that took the message has ended. */
  settle(outcome: SendOutcome): void;
}

export interface Spawned {
  readonly runId: string;
  readonly task: string;
  readonly mode: "run" | "session";
  readonly cleanup: "keep" | "delete";
  readonly runTimeoutMs: number;
  readonly thinking: ThinkingLevel | undefined;
  readonly startedAt: number;
  status: ChildRun["status"];
  endedAt: number | undefined;
  steeredAt: number | undefined;
}

export type NewMemorySession = Pick<MemorySession, "key" | "agent" | "label" | "parent" | "caller" | "model" | "spawned">;

export function createMemorySession(facts: NewMemorySession, now: number): MemorySession {
  const { parent, caller } = facts;
  return {
    ...facts,
    id: randomUUID(),
    tenant: caller.tenant,
    principal: caller.principal,
    ancestors: parent === undefined ? [] : [parent.id, ...parent.ancestors],
    depth: parent === undefined ? 0 : parent.depth + 1,
    createdAt: now,
    updatedAt: now,
    messages: [],
    inbox: [],
    usage: { inputTokens: 0, outputTokens: 0, costUsd: undefined },
    status: "idle",
    abort: undefined,
  };
}

export function toSummary(session: MemorySession): SessionSummary {
  const { id, key, agent, label, status, model, createdAt, updatedAt, usage } = session;
  return {
    id,
    key,
    agent,
    kind: sessionKind(key),
    ...(label !== undefined && { label }),
    status,
    ...(model !== undefined && { model }),
    createdAt,
    updatedAt,
    tokens: usage.inputTokens + usage.outputTokens,
    ...(usage.costUsd !== undefined && { costUsd: usage.costUsd }),
  };
}

export function toChildRun({ key, label, agent, model, spawned }: MemorySession): ChildRun {
  const { runId, task, status, startedAt, endedAt } = spawned!;
  return {
    id: runId,
    sessionKey: key,
    ...(label !== undefined && { label }),
    task,
    agent,
    ...(model !== undefined && { model }),
    status,
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
  };
}

export function append(session: MemorySession, message: SessionMessage, now: number): void {
  session.messages.push({ seq: session.messages.length + 1, at: now, message: Object.freeze({ ...message }) });
  session.updatedAt = now;
}
