import type { SessionKind } from "@toolrack/core/internal";
import type { Message, MessageOrigin, Usage } from "./message.ts";

export type { SessionKind };
export type SessionStatus = "idle" | "running" | "waiting" | "ended";

export interface Session {
  readonly id: string;
  /** `agent:<agent>:<rest>`: a name, never a right. Unique among the sessions of one owner. */
  readonly key: string;
  readonly agent: string;
  readonly kind: SessionKind;
  readonly label?: string;
  readonly parent?: string;
  readonly depth: number;
  readonly status: SessionStatus;
  readonly model?: string;
  readonly usage: Usage & { readonly turns: number; readonly calls: number };
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The `seq` of the newest message; 0 before the first. */
  readonly last: number;
  /** What the owner of the loop needs to go on: budget, criteria, what it waits for. Plain data. */
  readonly state?: Readonly<Record<string, unknown>>;
}

export interface StoredMessage {
  readonly session: string;
  /** 1, 2, 3 … without gaps. */
  readonly seq: number;
  readonly at: number;
  readonly message: Message;
}

/** Held by the one that runs the session. A higher fence wins over any older one. */
export interface SessionLease {
  readonly session: string;
  readonly holder: string;
  readonly fence: number;
}

export interface InboxMessage {
  readonly id: string;
  readonly content: string;
  readonly from: MessageOrigin;
  readonly at: number;
}

export interface NewSession {
  readonly key: string;
  readonly agent: string;
  readonly kind: SessionKind;
  readonly label?: string;
  readonly parent?: string;
  readonly depth?: number;
  readonly model?: string;
  readonly state?: Readonly<Record<string, unknown>>;
}

export interface SessionFilter {
  readonly agent?: string;
  readonly kinds?: readonly SessionKind[];
  readonly parent?: string;
  readonly label?: string;
  readonly search?: string;
  readonly status?: SessionStatus;
  readonly activeSince?: number;
  /** @default 100, at most 200 */
  readonly limit?: number;
  readonly offset?: number;
}

export type SessionPatch = Partial<Pick<Session, "status" | "model" | "label" | "usage" | "state">>;

/**
 * Sessions and their messages: in memory for a library, in tables of the store for a server. One contract suite for both.
 * - Messages are only appended, never changed. `append` compares `after` with the newest `seq` and fails with SESSION_CHANGED otherwise.
 * - With a lease, `append` and `update` fail with LEASE_LOST if another holder has taken it since.
 * - `end` of a child puts its result into the inbox of its parent in the same transaction.
 */
export interface SessionStore {
  /** Fails with SESSION_EXISTS if the key is taken. */
  create(session: NewSession): Promise<Session>;
  /** By id or key. */
  get(idOrKey: string): Promise<Session | undefined>;
  /** Newest first by `updatedAt`. */
  list(filter?: SessionFilter): Promise<readonly Session[]>;
  /** Messages with `seq` > after, oldest first. @default limit 1_000 */
  messages(session: string, options?: { readonly after?: number; readonly limit?: number }): Promise<readonly StoredMessage[]>;
  /** Resolves with the new newest `seq`. */
  append(
    session: string,
    messages: readonly Message[],
    options: { readonly after: number; readonly lease?: SessionLease; readonly patch?: SessionPatch },
  ): Promise<number>;
  update(session: string, patch: SessionPatch, lease?: SessionLease): Promise<Session>;
  /** Undefined if another holder has it and its time has not passed. */
  acquire(session: string, holder: string, ttlMs: number): Promise<SessionLease | undefined>;
  renew(lease: SessionLease, ttlMs: number): Promise<boolean>;
  release(lease: SessionLease): Promise<void>;
  /** Puts a message into the inbox of a session; its runner takes it between turns, and an idle one is woken by whoever listens. */
  send(session: string, message: { readonly content: string; readonly from: MessageOrigin }): Promise<InboxMessage>;
  /** Moves what is in the inbox to the messages of the session, in one transaction with the append. Resolves with what was moved and the newest `seq`. */
  takeInbox(
    session: string,
    options: { readonly after: number; readonly lease?: SessionLease },
  ): Promise<{ readonly taken: readonly InboxMessage[]; readonly last: number }>;
  /** Ends a session with its result; a parent gets it in its inbox, from `{ kind: "session", id: key }`. Ending twice changes nothing. */
  end(session: string, result: { readonly text: string; readonly status: string }, lease?: SessionLease): Promise<Session>;
  remove(session: string): Promise<boolean>;
  /** Called with the id of a session whenever its messages, inbox or status changed in this process. Returns the function that stops it. */
  onChange(listener: (session: string) => void): () => void;
}
