import type { Actor } from "../access.ts";
import type { Breadcrumb } from "../record/breadcrumb.ts";
import type { ClusterLeaseWrites } from "./cluster-lease.ts";
import type { AuditEnds, AuditReads, AuditRow, AuditWrites, ChainEnds } from "./audit.ts";
import type { DefinitionLogReads, DefinitionLogRow, DefinitionLogWrites } from "./definition-log.ts";
import type { JobReads, JobWrites } from "./jobs.ts";
import type { LogPage } from "./log.ts";
import type { Note, NoteClaims, NoteReads, NoteWrites } from "./notes.ts";
import type { PresenceReads, PresenceWrites } from "./presence.ts";
import type { RetentionReads, RetentionWrites } from "./retention.ts";
import type { SecretReads, SecretRow, SecretWrites } from "./secrets.ts";
import type { SessionInboxRow, SessionMessageRow, SessionReads, SessionRow, SessionWrites } from "./sessions.ts";
import type { EngineStats } from "./stats.ts";
import type { TicketChanges, TicketName, TicketReads, TicketRow, TicketWrites } from "./tickets.ts";
import type { UsageReads } from "./usage.ts";

export type ChangeType = "created" | "updated" | "deleted" | "expired";

/** One revision of a record, and its number in the order of the commits. For a removal, `record` is what was removed. */
export interface Change {
  readonly sequence: number;
  readonly type: ChangeType;
  readonly record: Breadcrumb;
}

/** The newest revision of a record, and what the store saves about it. */
export interface Head {
  readonly record: Breadcrumb;
  /** The number of its creation. Lists are in this order. */
  readonly position: number;
  /** Removed or expired. The head stays, so that a restored record continues its versions. */
  readonly deleted: boolean;
  /** Milliseconds since 1970. */
  readonly expiresAt: number | undefined;
  readonly readsLeft: number | undefined;
}

/**
 * A page of records that are neither deleted nor expired, in the order of their positions.
 * The store checks access, schema and tags of every head again; an engine that leaves nothing out that is wanted is correct, and one that returns
 * little else is fast. Terms and expiry are checked by the engine alone.
 */
export interface PagePlan {
  readonly actor: Actor;
  readonly schemaName: string | undefined;
  /** The record has each of these tags. */
  readonly allTags: readonly string[];
  /** The record has at least one of these tags. Empty: no condition. */
  readonly anyTags: readonly string[];
  /** The record has none of these tags. */
  readonly noneTags: readonly string[];
  /** For each of these, a term of the record begins with it. */
  readonly terms: readonly string[];
  /** Only positions above this one. */
  readonly after: number;
  /** A page with fewer heads is the last one. */
  readonly limit: number;
  /** Records with `expiresAt` up to this time are left out. */
  readonly now: number;
}

/** What is written for one change. */
export interface Saving {
  readonly type: ChangeType;
  readonly record: Breadcrumb;
  /** Found again with `withIdentity` and `identified`; undefined for a removal. */
  readonly identity: string | undefined;
  /** Of the head that the record had before, also of a removed one; undefined: the head is placed at the number of this change. */
  readonly position: number | undefined;
  /** The tags of the record before this change, for engines that index tags. */
  readonly tagsBefore: readonly string[];
  /** The words that find the record; none for a removal. */
  readonly terms: readonly string[];
  readonly expiresAt: number | undefined;
  readonly readsLeft: number | undefined;
}

/** Every kind of row that lasts, as a snapshot returns it. Tags and terms follow from the heads; sightings are not copied. */
export interface StoredRows {
  readonly changes: Change;
  readonly heads: Head;
  readonly audit: AuditRow;
  readonly secrets: SecretRow;
  readonly notes: Note;
  readonly definitionLog: DefinitionLogRow;
  readonly sessions: SessionRow;
  readonly sessionMessages: SessionMessageRow;
  readonly sessionInbox: SessionInboxRow;
  readonly tickets: TicketRow;
}

/** The numbers that the next rows continue. */
export interface StoreEnds {
  readonly sequence: number;
  /** See `changesBegin`. */
  readonly changesBegin: number;
  readonly audit: AuditEnds;
  /** All chains of the audit but "main". */
  readonly chains: readonly ChainEnds[];
}

/** All rows as they were at one moment, however long reading takes and whatever is written in the meantime. */
export interface Snapshot {
  /** The numbers that the next rows would continue. */
  ends(): Promise<StoreEnds>;
  /** How many rows `pages` returns. */
  count(kind: keyof StoredRows): Promise<number>;
  /** All rows of a kind, some at a time: changes, lines and logged entries by number, heads by position, the others by owner and name, or by what names them. */
  pages<Kind extends keyof StoredRows>(kind: Kind): AsyncIterable<readonly StoredRows[Kind][]>;
}

/** Fills an empty store with the rows of another one. */
export interface BulkWrites {
  /** With the numbers that they have. */
  addChanges(changes: readonly Change[]): Promise<void>;
  /** In the order of their positions. Their identities, tags and terms are derived from the records. */
  addHeads(heads: readonly Head[]): Promise<void>;
  /** Lines of the audit as they are, with the numbers that they have. */
  addAudit(rows: readonly AuditRow[]): Promise<void>;
  /** Called last. The next change gets `ends.sequence + 1`. */
  setEnds(ends: StoreEnds): Promise<void>;
}

export interface Migrations {
  /** Those in the database: more than `known` where a newer version changed it. */
  readonly applied: number;
  readonly known: number;
}

/**
 * What can be read, inside and outside of a transaction. Outside, a read sees everything that was committed before it began, and nothing
 * that was not. Inside, it also sees what the transaction wrote.
 */
export interface Reads
  extends
    AuditReads,
    SecretReads,
    PresenceReads,
    NoteReads,
    UsageReads,
    RetentionReads,
    DefinitionLogReads,
    JobReads,
    SessionReads,
    TicketReads {
  /** Also of a record that was removed; undefined where there never was one. */
  head(owner: string, id: string): Promise<Head | undefined>;
  /** The same for several ids: the heads that exist, in any order. */
  heads(owner: string, ids: readonly string[]): Promise<readonly Head[]>;
  /** One revision; undefined where there is none, or retention removed it. */
  revision(owner: string, id: string, version: number): Promise<Change | undefined>;
  /** Revisions with a version below `before`, the newest first. */
  revisions(owner: string, id: string, before: number, limit: number): Promise<readonly Change[]>;
  /** Heads that meet every condition of the plan, in the order of their positions. */
  page(plan: PagePlan): Promise<readonly Head[]>;
  /** Records that are not deleted and whose identity begins with `prefix`, in any order. */
  withIdentity(owner: string, prefix: string): Promise<readonly Head[]>;
  /** Records that are not deleted and whose identity is one of these, in any order. */
  identified(owner: string, identities: readonly string[]): Promise<readonly Head[]>;
  /** Changes of all owners with a higher number, in the order of their numbers. */
  changesAfter(sequence: number, limit: number): Promise<readonly Change[]>;
  /** The number of the newest committed change; 0 for an empty store. Every change up to it can be read: numbers are given at commit. */
  lastSequence(): Promise<number>;
  /** Records that are not deleted and whose `expiresAt` is not after `now`. */
  ended(now: number, limit: number): Promise<readonly { readonly owner: string; readonly id: string }[]>;
  /** The lowest `expiresAt` of a record that is not deleted. */
  nextEnd(): Promise<number | undefined>;
  /** An engine without migrations returns zeros. */
  migrations(): Promise<Migrations>;
}

/** What a transaction can do. It is valid until the `work` that it was handed to settles. */
export interface Writes
  extends
    Reads,
    AuditWrites,
    SecretWrites,
    PresenceWrites,
    NoteWrites,
    RetentionWrites,
    BulkWrites,
    DefinitionLogWrites,
    ClusterLeaseWrites,
    JobWrites,
    SessionWrites,
    TicketWrites {
  /**
   * Writes the revisions, replaces the heads with their tags and terms, and returns the changes with the next numbers, in the given order. No
   * two are of one record. A head that is created again keeps its position. A removal marks the head as deleted.
   */
  save(savings: readonly Saving[]): Promise<readonly Change[]>;
  /** Changes the head alone: no revision, no change, no number. */
  setReadsLeft(owner: string, id: string, readsLeft: number): Promise<void>;
}

export interface RecordWriteOptions {
  /**
   * The work has no effect but through the transaction, so the engine may run it again, and put it into one transaction with other such work.
   * The numbers of its changes may be given at the commit: read them when `write` has resolved.
   * @default false
   */
  readonly mayRunAgain?: boolean;
}

export interface WriteOptions {
  /** For maintenance, whose statements may take minutes: the engine applies no time limit of its own. @default false */
  readonly isLong?: boolean;
}

/**
 * What stores the rows. It knows nothing of roles, schemas or lifecycles: `createStore(engine)` adds those.
 *
 * An engine holds these promises, and `engineContract` of `@toolrack/store/testing` checks them:
 * - Atomicity: all of a transaction is committed, or nothing. One whose `work` rejects leaves no row, takes no number, and rejects with the
 *   same error.
 * - Order: transactions of `write` run one after another, across all processes that use the database. Their changes are numbered 1, 2, 3 …
 *   without gaps, in the order of the commits.
 * - Durability: what resolved is there after a restart, unless the engine states that it saves nothing.
 * - Failures: a database that cannot be used is a `StoreError` with the status 503 whose message shows nothing of the database.
 */
export interface Engine extends Reads {
  /** What `readStoreFacts` and metrics call it: "memory", "sqlite", "postgres", or a name of your own. */
  readonly kind: string;
  /** Whether each process adds to a chain of its own in the audit, so that anchors have to hold the chains together. */
  readonly hasChains: boolean;
  /** Runs a transaction. `work` is run once only, unless the options say more, and must not wait for another transaction of this engine. */
  write<Result>(work: (tx: Writes) => Promise<Result>, options?: RecordWriteOptions): Promise<Result>;
  /**
   * Runs a transaction that changes no record, and need not wait for those of `write`. Transactions that call `lockAudit` or `lockNotes` run
   * one after another from that call on; others may run side by side. One that calls `lockNotes` does so before it adds lines to the audit.
   */
  writeAudit<Result>(work: (tx: Writes) => Promise<Result>, options?: WriteOptions): Promise<Result>;
  /**
   * Writes a page of the call log in a transaction: appends the lines to the audit, removes and saves notes, and rejects with LEASE_LOST,
   * leaving nothing, where the lease is no longer held. `writeLogPage(tx, page)` does that inside `writeAudit`.
   */
  writeLog(page: LogPage): Promise<void>;
  /** Claims of notes in one round trip each. @default in a transaction of `writeAudit` */
  readonly claims?: NoteClaims;
  /** Changes of tickets in one round trip each; `addTicket` in more where its group has too many. @default in a transaction of `writeAudit` */
  readonly ticketChanges?: TicketChanges;
  /**
   * How many pages may be passed before the first is written. They are committed in the order in which they came, and none that
   * came after a page that failed is committed before that failure was reported. 1 for an engine that does not pipeline.
   */
  readonly pagesAtOnce: number;
  /** Reads one moment of the store, without blocking writers. */
  snapshot<Result>(work: (snapshot: Snapshot) => Promise<Result>): Promise<Result>;
  /**
   * Calls the listener after records were committed, by this process or another one: at least once after the last commit, possibly more
   * often, and never for the audit alone. Returns the function that stops it.
   */
  onWake(listener: () => void): () => void;
  /**
   * Calls the listener after a ticket was changed by this process or another one, at least once after the last commit: with its name, or without
   * one where any may have changed. Returns the function that stops it.
   */
  onTicket(listener: (ticket: TicketName | undefined) => void): () => void;
  /** How much room the store takes on its disk. @default unknown */
  readonly sizeBytes?: () => Promise<number>;
  /** Answered at once, without asking the database. */
  stats(): EngineStats;
  /** Releases everything. Nothing is called afterwards. */
  close(): Promise<void>;
}
