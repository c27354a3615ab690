import type { Actor } from "../access.ts";
import type { Change } from "../engine/engine.ts";
import type { SearchQuery } from "../query/search.ts";
import type { Selector } from "../query/selector.ts";
import type { Breadcrumb, BreadcrumbDraft, JsonObject } from "../record/breadcrumb.ts";
import type { Difference } from "../record/diff.ts";

/**
 * The records of one deployment, as one actor may see and write them.
 * Contract: nothing of another owner is ever returned; a stale `version` answers `conflict` and changes nothing; "not found" is an
 * answer, never thrown; what was answered as written is there after a crash; each change is one event, after its commit.
 */
export interface BreadcrumbStore {
  readonly actor: Actor;
  /** The same records for another actor. */
  as(actor: Actor): BreadcrumbStore;

  /** Creates a record (no `version`), or replaces exactly that version of it: what `get` answered may come back changed, `{ ...record, title }`. */
  put(draft: BreadcrumbDraft | Breadcrumb, options?: PutOptions): Promise<WriteResult>;
  /**
   * `put` for several records, no two of one id, in one transaction: an answer for each, in the given order, and a refused one does not keep the
   * others from being written. The number of queries does not grow with the number of records.
   */
  putAll(puts: readonly Put[]): Promise<readonly WriteResult[]>;
  /** Counts as a read of a record with a limited number of reads. */
  get(id: string): Promise<Breadcrumb | undefined>;
  /** Whole revisions, the newest first; they outlive the record. */
  history(id: string, options?: HistoryOptions): Promise<readonly Change[]>;
  /** What changed from one revision to another; undefined where one of them does not exist. */
  diff(id: string, from: number, to: number): Promise<readonly Difference[] | undefined>;
  /** Writes an old revision's content as a new revision. */
  restore(id: string, version: number, options?: Expected): Promise<WriteResult>;
  remove(id: string, options?: Expected): Promise<WriteResult>;
  search(query?: SearchQuery): Promise<SearchPage>;

  addTags(id: string, tags: readonly string[]): Promise<WriteResult>;
  removeTags(id: string, tags: readonly string[]): Promise<WriteResult>;
  /** Objects are merged to any depth, null removes a key, everything else is replaced. */
  mergeContext(id: string, patch: JsonObject): Promise<WriteResult>;

  /**
   * Every change after `since`, as it happens, until the signal. Without `since`: from now on. Throws CHANGES_GONE where retention removed
   * one of them: read the records anew, and follow from `sequence()`.
   */
  changes(options?: ChangesOptions): AsyncIterable<Change>;
  /** The number of the newest change. */
  sequence(): Promise<number>;
  /** Commits all of the work or nothing. An error rolls it back. */
  transaction<Result>(work: (store: BreadcrumbStore) => Promise<Result>): Promise<Result>;

  /** All records that a query finds, without paging. */
  searchBreadcrumbs(query?: SearchQuery): Promise<readonly FoundBreadcrumb[]>;
  /** `get` under the name that clients know. */
  getBreadcrumb(id: string): Promise<Breadcrumb | undefined>;

  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface PutOptions {
  /**
   * Leaves a new definition undecided. Else the owner (a curator with `approvesOwn`) who creates one has decided with it: the decision is
   * recorded for exactly that content, unless the content says that it is a draft. What others create is undecided. @default false
   */
  readonly undecided?: boolean;
  /** Records with the write that the owner approves exactly this content of a definition. Needs "curator" and `approvesOwn`. */
  readonly approve?: { readonly reason: string };
  /** Writes it whatever version is there, also if there is none; `version` does not count. @default false */
  readonly replace?: boolean;
}

/** One record of several that are written together. */
export interface Put extends PutOptions {
  readonly draft: BreadcrumbDraft | Breadcrumb;
}

export type WriteResult =
  | { readonly ok: true; readonly record: Breadcrumb; /** False where everything already was as wanted. */ readonly changed: boolean }
  | WriteRefusal;

export interface WriteRefusal {
  readonly ok: false;
  /** "taken": another record already has this identity. */
  readonly code: "not-found" | "conflict" | "taken";
  readonly message: string;
  /** For "conflict": the version that is there. */
  readonly currentVersion?: number;
}

/** A record as a search returns it: with its context only if that was requested, and never that of a record that each read uses up. */
export type FoundBreadcrumb = Omit<Breadcrumb, "context"> & { readonly context?: JsonObject };

export interface SearchPage {
  /** In the order of their creation. */
  readonly records: readonly FoundBreadcrumb[];
  /** Where to go on; absent on the last page. */
  readonly cursor?: string;
}

export interface HistoryOptions {
  /** Only revisions below this one. */
  readonly before?: number;
  /** @default 100 */
  readonly limit?: number;
}

export interface Expected {
  /** Refused with "conflict" where the record has another version. */
  readonly version?: number;
}

export interface ChangesOptions {
  readonly since?: number;
  /** Matched against the record after the change; for a removal, against its last revision. */
  readonly selector?: Selector;
  readonly signal?: AbortSignal;
  /** Called with the number of each processed change, also of those that the actor does not get: the progress of the reader. */
  readonly onSeen?: (sequence: number) => void;
}
