import type { JsonObject } from "../record/breadcrumb.ts";
import type { BreadcrumbStore } from "../store/store.ts";

/**
 * Work that is done later, once or more often, by any server of a store.
 *
 * Contract:
 * - A job that was added is done, dead or cancelled in the end. It is never forgotten, whatever server or database ends in between.
 * - At least once: a job runs again only after the server that ran it ended without settling it, or after it asked for another try. While a
 *   server renews its lease on a job, no other server runs that job. `attempt` fences: what a server that lost its lease says is not heard.
 * - Fair: callers with due jobs take turns, whatever number of jobs each of them has. Jobs of one caller start in the order of `dueAt`, then of
 *   their addition.
 * - Leases are judged by whether they are renewed, never by comparing clocks: a clock that jumps makes a job due, and loses none.
 */
export interface JobQueue {
  /**
   * Adds a job that is due now. With `transaction` (the store that `BreadcrumbStore.transaction` hands out) it is added with that transaction or
   * not at all. A caller's second job with the same kind and key is not added: the answer is the first one, with `isNew: false`.
   */
  enqueue(draft: JobDraft, transaction?: BreadcrumbStore): Promise<Enqueued>;
  /** The same for several, in one transaction: all or, where one caller's limit is reached, none. */
  enqueueAll(drafts: readonly JobDraft[], transaction?: BreadcrumbStore): Promise<readonly Enqueued[]>;
  /** Adds a job that is due at a time (milliseconds since 1970). */
  schedule(draft: JobDraft, at: number, transaction?: BreadcrumbStore): Promise<Enqueued>;
  /** Begins to claim and run due jobs of these kinds in this process, until the worker is closed. */
  work(handlers: JobHandlers, options: WorkOptions): JobWorker;
  get(id: string): Promise<Job | undefined>;
  /** The newest first. */
  list(query?: JobQuery): Promise<readonly Job[]>;
  /** Dead letters, the newest first: `list` with the state "dead". */
  dead(query?: Omit<JobQuery, "state">): Promise<readonly Job[]>;
  /** How many there are in each state. */
  counts(): Promise<JobCounts>;
  /** Since when the waiting job of these kinds has been due that waits longest (milliseconds since 1970); undefined if none is due. */
  oldestDueAt(kinds: readonly string[]): Promise<number | undefined>;
  /** Makes a waiting job due now. */
  retry(id: string): Promise<JobChange>;
  /** Lets a dead or cancelled job run again, with its id, its key and all of its tries, where its caller may have one more waiting job. */
  replay(id: string): Promise<JobChange>;
  /** Ends a waiting job at once; a running one is told through its signal, and ends when its handler returns. */
  cancel(id: string): Promise<JobChange>;
  /** Told after a commit of this process: added, claimed, progressed, settled. Returns the function that stops it. */
  subscribe(listener: (event: JobEvent) => void): () => void;
}

/** A job to be added. */
export interface JobDraft {
  /** Which handler runs it: "call", "delivery". */
  readonly kind: string;
  /** Whose it is: limits and turns are counted for each caller. */
  readonly caller: string;
  /** What lists show: the name of a tool, of an endpoint. */
  readonly subject: string;
  /** What the handler is given. Stored as JSON; at most 1 MiB. */
  readonly payload: JsonObject;
  /** Names the job among those of its caller and kind, for as long as it is stored. @default none */
  readonly key?: string;
  /** What made it: "call", "schedule:daily", "trigger:x", "hook:x", "startup". @default "call" */
  readonly origin?: string;
  /** How many attempts before it is dead. @default 1 */
  readonly tries?: number;
  /** How long to wait after each failed attempt; the last one repeats. Up to a fifth is added by chance. @default 30 s, 1, 5, 15, 60 min */
  readonly delaysMs?: readonly number[];
}

export type JobState = "waiting" | "running" | "done" | "dead" | "cancelled";

export interface Job extends Required<Omit<JobDraft, "key">> {
  readonly id: string;
  readonly key: string | undefined;
  readonly state: JobState;
  /** Times are milliseconds since 1970. */
  readonly createdAt: number;
  readonly dueAt: number;
  /** When the latest attempt began. */
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  /** How many attempts have begun. */
  readonly attempt: number;
  /** How many attempts failed since it was added or replayed; `tries` limits them. */
  readonly failed: number;
  /** How many attempts ended with their server since the latest that was settled. Each delays the next one; after three, the job is dead. */
  readonly lost: number;
  /** The server that runs it. */
  readonly holder: string | undefined;
  /** Somebody asked for its end. */
  readonly isCancelling: boolean;
  /** The latest report of its handler. */
  readonly progress: JsonObject | undefined;
  /** What its handler returned, once it is done. */
  readonly result: JsonObject | undefined;
  /** Why the latest attempt failed, or which server stopped during it. */
  readonly error: JobError | undefined;
}

export interface JobError {
  /** "HANDLER_FAILED", "OUTCOME_UNKNOWN", the code of a call. */
  readonly code: string;
  readonly message: string;
}

export type Enqueued =
  | { readonly ok: true; readonly job: Job; readonly isNew: boolean }
  /** "full": the caller has as many waiting jobs as are allowed. */
  | { readonly ok: false; readonly code: "full"; readonly message: string };

export type JobChange =
  | { readonly ok: true; readonly job: Job }
  /** "state": it is in a state in which this cannot be done; the message names it. */
  | { readonly ok: false; readonly code: "not-found" | "state"; readonly message: string };

export interface JobQuery {
  readonly state?: JobState;
  readonly kind?: string;
  readonly caller?: string;
  readonly origin?: string;
  /** Goes on after this one: the id of the last job of the page before. */
  readonly after?: string;
  /** @default 100, at most 1_000 */
  readonly limit?: number;
}

export type JobCounts = { readonly [State in JobState]: number };

/** By kind. A job of another kind is left to servers that have its handler. */
export type JobHandlers = { readonly [kind: string]: JobHandler };

/** Runs one attempt. What it throws is a failed attempt like `{ retry }`. */
export type JobHandler = (run: JobRun) => Promise<JobOutcome>;

export interface JobRun {
  readonly job: Job;
  /**
   * Names this try: the same for an attempt that repeats one whose server ended, another after a failed one. As the idempotency key of what
   * the handler does, it lets the handler find out what came of a lost attempt before anything is repeated.
   */
  readonly key: string;
  /** The attempts before this one that ended with their server, since the latest that was settled. */
  readonly lost: readonly LostAttempt[];
  /** Aborts on cancel, when the lease is lost, and when the worker is closed and its grace is over. */
  readonly signal: AbortSignal;
  /** Stores a report that `get` shows; the latest wins. Of reports within half a second, the last is stored. */
  progress(report: JsonObject): void;
}

/** An attempt that nobody settled: what it did is to be found out. */
export interface LostAttempt {
  readonly attempt: number;
  /** The server that made it. */
  readonly holder: string;
}

export type JobOutcome =
  | { readonly done: JsonObject }
  /** Failed: run again after its delay, or `afterMs`, while tries are left; else dead. */
  | { readonly retry: JobError; readonly afterMs?: number }
  /** Failed for good. */
  | { readonly dead: JobError }
  /** Did not begin, because this server ends: due at once for another one, and no try is counted. */
  | { readonly release: true }
  /** Could not begin, because what it needs is away: due later, and no try is counted. */
  | { readonly wait: JobError; readonly afterMs: number };

export interface WorkOptions {
  /** The present name of this server; no other process has it, or ever had. */
  holder(): string;
  /** Whether the process of another holder is known to have ended, so that nobody waits for its silence. @default nobody is known */
  hasEnded?(holder: string): boolean;
  /** How many jobs run here at once. @default 8 */
  readonly slots?: number;
  /** How many of one caller's jobs run here at once. @default 4 */
  readonly slotsPerCaller?: number;
  /** How often to look for due jobs of other processes. @default 1_000 */
  readonly pollMs?: number;
  /** How often a lease is renewed. @default 5_000 */
  readonly beatMs?: number;
  /** A holder that renewed nothing for so long has lost its jobs. @default 30_000 */
  readonly silentMs?: number;
  /**
   * How long a job waits after each server in a row that ended while running it; up to a fifth is added by chance, so that a job that ends its
   * server does not end them all. The last one repeats. @default 10 s, 40 s
   */
  readonly lostDelaysMs?: readonly number[];
  /** From 0 up to 1: what the chance in delays is. @default Math.random */
  random?(): number;
  /** Called when the store could not be used; the worker goes on. */
  onStoreFailed?(error: unknown): void;
}

export interface JobWorker {
  /** How many jobs run here. */
  running(): number;
  /** Looks for due jobs now. */
  wake(): void;
  /** Claims nothing more and waits for running handlers; after `graceMs` their signals abort. @default 10_000 */
  close(graceMs?: number): Promise<void>;
}

/** A change of a job that this process made. */
export interface JobEvent {
  readonly type: "added" | "started" | "progress" | "retry" | "done" | "dead" | "cancelled" | "replayed";
  readonly job: Job;
}

export interface JobQueueOptions {
  /** @default 1_000 */
  readonly maxWaitingPerCaller?: number;
  /** How long a job that is done or cancelled is stored. @default one day */
  readonly keepMs?: number;
  /** How long a dead one is stored. @default 14 days */
  readonly keepDeadMs?: number;
  /** How many dead jobs are stored, and how many that are done or cancelled; those that ended first are removed first. @default 10_000 */
  readonly maxEnded?: number;
  /** A job is stored at least so long after its end, however many there are, so that its key is known. @default 10 minutes */
  readonly keepAtLeastMs?: number;
}
