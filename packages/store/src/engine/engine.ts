import type { Actor } from "../access.ts";
import type { Breadcrumb } from "../record/breadcrumb.ts";
import type { AuditEnds, AuditReads, AuditRow, AuditWrites } from "./audit.ts";
import type { LogPage } from "./log.ts";
import type { Note, NoteReads, NoteWrites } from "./notes.ts";
import type { PresenceReads, PresenceWrites } from "./presence.ts";
import type { RetentionReads, RetentionWrites } from "./retention.ts";
import type { SecretReads, SecretRow, SecretWrites } from "./secrets.ts";
import type { EngineStats } from "./stats.ts";
import type { UsageReads } from "./usage.ts";

export type ChangeType = "created" | "updated" | "deleted" | "expired";

/** One event: what a record became (for a removal: what it last was), and its number in the order of the commits. */
export interface Change {
  readonly sequence: number;
  readonly type: ChangeType;
  readonly record: Breadcrumb;
}

/** The newest revision of a record, with what the store keeps beside it. */
export interface Head {
  readonly record: Breadcrumb;
  /** The number of its creation: the order of every list. */
  readonly position: number;
  readonly deleted: boolean;
  /** Milliseconds since 1970. */
  readonly expiresAt: number | undefined;
  readonly readsLeft: number | undefined;
}

/** A page of live records in the order of their positions. */
export interface PagePlan {
  readonly actor: Actor;
  readonly schemaName: string | undefined;
  readonly allTags: readonly string[];
  readonly anyTags: readonly string[];
  readonly noneTags: readonly string[];
  readonly terms: readonly string[];
  /** Only positions above this one. */
  readonly after: number;
  readonly limit: number;
  /** Records that ended by this time are left out. */
  readonly now: number;
}

/** What is written for one change. */
export interface Saving {
  readonly type: ChangeType;
  readonly record: Breadcrumb;
  readonly identity: string | undefined;
  /** The tags that the record has so far. */
  readonly tagsBefore: readonly string[];
  readonly terms: readonly string[];
  readonly expiresAt: number | undefined;
  readonly readsLeft: number | undefined;
}

/** Every row that lasts, by its kind. Tags and words follow from the heads; which servers are alive is nobody's to keep. */
export interface StoredRows {
  readonly changes: Change;
  readonly heads: Head;
  readonly audit: AuditRow;
  readonly secrets: SecretRow;
  readonly notes: Note;
}

/** The numbers that go on counting. */
export interface StoreEnds {
  readonly sequence: number;
  /** See `changesBegin`. */
  readonly changesBegin: number;
  readonly audit: AuditEnds;
}

/** All rows as they were at one moment, however long reading them takes and whatever is written meanwhile. */
export interface Snapshot {
  ends(): Promise<StoreEnds>;
  count(kind: keyof StoredRows): Promise<number>;
  /** In the order of their numbers or names, some at a time. */
  pages<Kind extends keyof StoredRows>(kind: Kind): AsyncIterable<readonly StoredRows[Kind][]>;
}

/** Puts rows in as they were in another store. Only for a store that has none. */
export interface BulkWrites {
  addChanges(changes: readonly Change[]): Promise<void>;
  /** In the order of their positions; with their tags and words. */
  addHeads(heads: readonly Head[]): Promise<void>;
  setEnds(ends: StoreEnds): Promise<void>;
}

export interface Migrations {
  /** Those in the database: more than `known` where a newer version changed it. */
  readonly applied: number;
  readonly known: number;
}

export interface Reads extends AuditReads, SecretReads, PresenceReads, NoteReads, UsageReads, RetentionReads {
  head(owner: string, id: string): Promise<Head | undefined>;
  /** One revision; undefined where there is none. */
  revision(owner: string, id: string, version: number): Promise<Change | undefined>;
  /** Revisions below `before`, the newest first. */
  revisions(owner: string, id: string, before: number, limit: number): Promise<readonly Change[]>;
  page(plan: PagePlan): Promise<readonly Head[]>;
  /** Live records whose identity begins so. */
  withIdentity(owner: string, prefix: string): Promise<readonly Head[]>;
  changesAfter(sequence: number, limit: number): Promise<readonly Change[]>;
  lastSequence(): Promise<number>;
  /** Ids of the records that ended by `now`. */
  ended(now: number, limit: number): Promise<readonly { readonly owner: string; readonly id: string }[]>;
  /** When the next record ends. */
  nextEnd(): Promise<number | undefined>;
  /** How many steps brought the tables to their form, of those that this version knows. */
  migrations(): Promise<Migrations>;
}

export interface Writes extends Reads, AuditWrites, SecretWrites, PresenceWrites, NoteWrites, RetentionWrites, BulkWrites {
  /** Writes head, revision, tags and words, and takes the next number. */
  save(saving: Saving): Promise<Change>;
  setReadsLeft(owner: string, id: string, readsLeft: number): Promise<void>;
}

export interface WriteOptions {
  /** For maintenance: its statements may take minutes. @default false */
  readonly isLong?: boolean;
}

/**
 * What keeps the rows. It knows nothing of roles, shapes or lifecycles.
 * Contract: transactions run one after another; a throwing one leaves nothing behind and takes no number; reads see only what was
 * committed, and all of it; numbers are given without gaps and grow in the order of the commits.
 */
export interface Engine extends Reads {
  readonly kind: "memory" | "sqlite" | "postgres";
  write<Result>(work: (tx: Writes) => Promise<Result>): Promise<Result>;
  /** A transaction that changes no record, and waits for no writer of records. */
  writeAudit<Result>(work: (tx: Writes) => Promise<Result>, options?: WriteOptions): Promise<Result>;
  /** As a transaction of its own; an engine may leave it to another thread. */
  writeLog(page: LogPage): Promise<void>;
  /** How many pages may be under way: they are written in their order, and none after one that failed until that was told. */
  readonly pagesAtOnce: number;
  /** Reads one moment of the store, beside all who write. */
  snapshot<Result>(work: (snapshot: Snapshot) => Promise<Result>): Promise<Result>;
  /** Told that records may have changed, here or elsewhere; never more than needed to look again, and nothing of the audit. */
  onWake(listener: () => void): () => void;
  /** Cheap, and asks nobody. */
  stats(): EngineStats;
  close(): Promise<void>;
}
