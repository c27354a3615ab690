/** A session of an agent, as it is stored. It is no record and has no revisions. */
export interface SessionRow extends SessionMarks {
  readonly owner: string;
  readonly id: string;
  /** No two sessions of an owner have the same key. */
  readonly key: string;
  readonly agent: string;
  readonly kind: string;
  /** The id of the session that began it. */
  readonly parent: string | undefined;
  readonly depth: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** What changes while a session is stored. */
export interface SessionMarks {
  readonly label: string | undefined;
  readonly status: "idle" | "running" | "waiting" | "ended";
  readonly model: string | undefined;
  /** JSON. */
  readonly usage: string;
  readonly state: string | undefined;
  readonly result: string | undefined;
  /** When it last changed, in microseconds since 1970: a process gives no two changes the same, so that lists have one order. */
  readonly touched: number;
  /** Milliseconds since 1970; undefined until it ends. */
  readonly endedAt: number | undefined;
  /** The `seq` of the newest message; 0 before the first. */
  readonly last: number;
  /** How many bytes the bodies of its messages have. */
  readonly bytes: number;
  /** Who runs it; "" where nobody does. */
  readonly holder: string;
  /** Grows every time the session is taken. */
  readonly fence: number;
  /** By the clock of the database. */
  readonly leaseEndsAt: number;
  /** The `place` that the newest message of the inbox got; 0 before the first. */
  readonly inboxLast: number;
  /** How many messages wait in the inbox, and how many bytes they have. */
  readonly inboxCount: number;
  readonly inboxBytes: number;
}

export interface SessionMessageRow {
  readonly owner: string;
  readonly session: string;
  /** 1, 2, 3 … without gaps. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** JSON. */
  readonly body: string;
}

export interface SessionInboxRow {
  readonly owner: string;
  readonly session: string;
  /** Their order. */
  readonly place: number;
  readonly content: string;
  readonly fromKind: string;
  readonly fromId: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** No two messages of an inbox have the same; undefined: it is not compared. */
  readonly source: string | undefined;
  /** Moved to the messages of the session. Only one with a source stays stored then. */
  readonly taken: boolean;
}

export interface SessionRowFilter {
  readonly agent?: string;
  readonly kinds?: readonly string[];
  readonly parent?: string;
  readonly label?: string;
  /** Part of the key or the label; ASCII letters match in both cases. */
  readonly search?: string;
  readonly status?: SessionRow["status"];
  /** Only with a `touched` that is not lower. */
  readonly touchedSince?: number;
  /** Only those with messages in their inbox. */
  readonly hasInbox?: boolean;
}

export interface SessionReads {
  session(owner: string, id: string): Promise<SessionRow | undefined>;
  sessionWithKey(owner: string, key: string): Promise<SessionRow | undefined>;
  /** By `touched` and then by id, the highest first. */
  sessions(owner: string, filter: SessionRowFilter, limit: number, offset: number): Promise<readonly SessionRow[]>;
  /** How many there are. @param owner undefined: of all owners */
  countSessions(owner: string | undefined): Promise<number>;
  /** With a `seq` above `after`, the oldest first. */
  sessionMessages(owner: string, session: string, after: number, limit: number): Promise<readonly SessionMessageRow[]>;
  /** What waits in an inbox, in its order. */
  inboxMessages(owner: string, session: string): Promise<readonly SessionInboxRow[]>;
  /** Also one that was taken. */
  inboxMessageFrom(owner: string, session: string, source: string): Promise<SessionInboxRow | undefined>;
}

export interface LockedSession {
  readonly row: SessionRow;
  /** The time of the database, in milliseconds since 1970: leases are judged by one clock. */
  readonly now: number;
}

/** All of these but `addSession` and `trimSessions` are called for a session that the transaction has locked, or in an empty store. */
export interface SessionWrites {
  /** False, and no change, where its key is taken. */
  addSession(row: SessionRow): Promise<boolean>;
  /** From this call until the transaction ends, no other transaction gets this session from this method: it waits. */
  lockSession(owner: string, id: string): Promise<LockedSession | undefined>;
  changeSession(owner: string, id: string, change: Partial<SessionMarks>): Promise<void>;
  addSessionMessages(rows: readonly SessionMessageRow[]): Promise<void>;
  addInboxMessages(rows: readonly SessionInboxRow[]): Promise<void>;
  /** Removes what waits up to this place; one with a source is marked as taken instead. */
  takeInboxMessages(owner: string, session: string, upTo: number): Promise<void>;
  /** With its messages and its inbox. */
  removeSession(owner: string, id: string): Promise<void>;
  /** Removes up to `limit` sessions that ended at this time or before, with their messages, and passes over locked ones. Returns how many. */
  trimSessions(owner: string, endedBefore: number, limit: number): Promise<number>;
}
