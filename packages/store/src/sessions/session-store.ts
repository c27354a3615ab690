import type { SessionKind } from "@toolrack/core/internal";

/** Who a message comes from, written by whoever keeps the session and never by the message itself. */
export interface MessageOrigin {
  readonly kind: "person" | "session" | "schedule" | "webhook" | "agent" | "system";
  /** Who exactly: a key of a session, a name of a schedule, a principal. */
  readonly id?: string;
}

/** A message as the store sees it: JSON with a role. Everything else belongs to whoever runs the session. */
export interface SessionMessage {
  readonly role: string;
}

export type { SessionKind };
export type SessionStatus = "idle" | "running" | "waiting" | "ended";

export interface SessionUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of `inputTokens` that the vendor read from its cache. */
  readonly cachedTokens?: number;
  readonly costUsd?: number;
  readonly turns: number;
  readonly calls: number;
}

/** How a session ended. */
export interface SessionResult {
  readonly text: string;
  readonly status: string;
}

export interface SessionEnd extends SessionResult {
  /** What a parent gets in its inbox; false: nothing. @default the text */
  readonly toParent?: string | false;
}

export interface Session {
  readonly id: string;
  /** `agent:<agent>:<rest>`: a name, never a right. Unique among the sessions of one owner. */
  readonly key: string;
  readonly agent: string;
  readonly kind: SessionKind;
  readonly label?: string;
  /** The id of the session that began it. */
  readonly parent?: string;
  readonly depth: number;
  readonly status: SessionStatus;
  readonly model?: string;
  readonly usage: SessionUsage;
  /** Times are milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly endedAt?: number;
  /** The `seq` of the newest message; 0 before the first. */
  readonly last: number;
  /** How many messages wait in its inbox. */
  readonly inbox: number;
  /** What the owner of the loop needs to go on: budget, criteria, what it waits for. Plain data. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** Once it has ended. */
  readonly result?: SessionResult;
}

export interface StoredMessage<Message = SessionMessage> {
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

export interface NewInboxMessage extends Pick<InboxMessage, "content" | "from"> {
  /** Names the message in its inbox: a second one with the same source is not added, also after the first was taken. @default none */
  readonly source?: string;
}

export interface NewSession {
  readonly key: string;
  readonly agent: string;
  readonly kind: SessionKind;
  readonly label?: string;
  /** The id or the key of the session that begins it. */
  readonly parent?: string;
  /** @default one more than that of the parent; 0 without one */
  readonly depth?: number;
  readonly model?: string;
  readonly state?: Readonly<Record<string, unknown>>;
}

export interface SessionFilter {
  readonly agent?: string;
  readonly kinds?: readonly SessionKind[];
  /** The id of a session. */
  readonly parent?: string;
  readonly label?: string;
  /** Part of the key or the label; ASCII letters match in both cases. */
  readonly search?: string;
  readonly status?: SessionStatus;
  /** Only those that changed then or later. */
  readonly activeSince?: number;
  /** Only those with messages in their inbox: what a server that starts has to wake. */
  readonly hasInbox?: boolean;
  /** @default 100, at most 200 */
  readonly limit?: number;
  readonly offset?: number;
}

export type SessionPatch = Partial<Pick<Session, "status" | "model" | "label" | "usage" | "state">>;

export interface AppendOptions {
  /** The `seq` of the newest message that the writer knows. */
  readonly after: number;
  readonly lease?: SessionLease;
  readonly patch?: SessionPatch;
}

/**
 * The sessions of a store's owner, their messages and their inboxes.
 *
 * Contract:
 * - Messages are only appended, never changed: all of one call or none, numbered without gaps. `append` and `takeInbox` compare `after` with the
 *   newest `seq` and fail with SESSION_CHANGED otherwise: of several that append at once, one succeeds.
 * - With a lease, every write fails with LEASE_LOST where another holder has taken it since, it was released, or the session was ended.
 * - `end` of a child puts its result into the inbox of its parent, in the same transaction and once; also where that inbox is full.
 * - An ended session takes no more messages and no more changes: they fail with SESSION_ENDED.
 * - Where a message comes from is an argument of whoever keeps the session: no content can state it.
 * - A session that does not exist is SESSION_UNKNOWN.
 */
export interface SessionStore<Message = SessionMessage> {
  /** Fails with SESSION_EXISTS if the key is taken, and with SESSION_FULL if the owner has as many sessions as are allowed. */
  create(session: NewSession): Promise<Session>;
  /** By id or key. */
  get(idOrKey: string): Promise<Session | undefined>;
  /** Newest first by `updatedAt`. */
  list(filter?: SessionFilter): Promise<readonly Session[]>;
  /** Messages with `seq` > after, oldest first. @default limit 1_000, at most 10_000 */
  messages(session: string, options?: { readonly after?: number; readonly limit?: number }): Promise<readonly StoredMessage<Message>[]>;
  /** Resolves with the new newest `seq`. */
  append(session: string, messages: readonly Message[], options: AppendOptions): Promise<number>;
  update(session: string, patch: SessionPatch, lease?: SessionLease): Promise<Session>;
  /** Undefined if another holder has it and its time has not passed. A holder that takes it again gets a new lease. */
  acquire(session: string, holder: string, ttlMs: number): Promise<SessionLease | undefined>;
  /** Prolongs it from now on. False: it is lost. */
  renew(lease: SessionLease, ttlMs: number): Promise<boolean>;
  release(lease: SessionLease): Promise<void>;
  /**
   * Puts a message into the inbox of a session; its runner takes it between turns, and an idle one is woken by whoever listens. Fails with
   * SESSION_FULL if as many wait as are allowed.
   */
  send(session: string, message: NewInboxMessage): Promise<InboxMessage>;
  /**
   * Moves what is in the inbox to the messages of the session, as `{ role: "user", content, from }`, in one transaction. Resolves with what was
   * moved and the newest `seq`.
   */
  takeInbox(session: string, options: Omit<AppendOptions, "patch">): Promise<TakenInbox>;
  /** Ends a session with its result; a parent gets it in its inbox, from `{ kind: "session", id: key }`. Ending twice changes nothing. */
  end(session: string, result: SessionEnd, lease?: SessionLease): Promise<Session>;
  /** Removes it with its messages; false where there is none. */
  remove(session: string): Promise<boolean>;
  /**
   * Called with the id of a session after its messages, inbox or status changed through this object. Other processes are not told: those look at
   * `list({ hasInbox: true })`. Returns the function that stops it.
   */
  onChange(listener: (session: string) => void): () => void;
}

export interface TakenInbox {
  readonly taken: readonly InboxMessage[];
  readonly last: number;
}

export interface SessionStoreOptions {
  /** How many sessions the owner may have, with those that ended. @default 10_000 */
  readonly maxSessions?: number;
  /** How many messages may wait in one inbox. Together they have at most 16 MiB. @default 1_000 */
  readonly maxInbox?: number;
  /** How many bytes all messages of one session may have. @default 268_435_456 */
  readonly maxSessionBytes?: number;
}
