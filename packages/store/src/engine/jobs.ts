/** A job as it is stored. It is no record and has no revisions. */
export interface JobRow extends JobMarks {
  readonly owner: string;
  /** Ids sort in the order in which they were given. */
  readonly id: string;
  readonly kind: string;
  readonly caller: string;
  readonly subject: string;
  /** No two jobs of an owner have the same kind, caller and key. */
  readonly key: string | undefined;
  readonly origin: string;
  readonly tries: number;
  /** JSON: an array of milliseconds. */
  readonly delays: string;
  /** JSON. */
  readonly payload: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** What changes while a job is stored. */
export interface JobMarks {
  readonly state: "waiting" | "running" | "done" | "dead" | "cancelled";
  /** Times are milliseconds since 1970. */
  readonly dueAt: number;
  readonly startedAt: number | undefined;
  /** Undefined while it is waiting or running. */
  readonly endedAt: number | undefined;
  readonly attempt: number;
  readonly failed: number;
  /** The holders of the latest attempts, as far as those ended with their holder, in their order. */
  readonly lostBy: readonly string[];
  /** "" where nobody holds it. */
  readonly holder: string;
  /** Counts up while the holder is alive. */
  readonly beat: number;
  readonly cancelling: boolean;
  /** JSON. */
  readonly progress: string | undefined;
  readonly result: string | undefined;
  readonly error: string | undefined;
}

export interface JobFilter {
  readonly state?: JobRow["state"];
  readonly kind?: string;
  readonly caller?: string;
  readonly origin?: string;
}

/** What a row has to have for a change to happen. */
export interface JobExpectation {
  readonly state: JobRow["state"];
  readonly holder?: string;
  readonly attempt?: number;
  readonly beat?: number;
}

export interface JobReads {
  job(owner: string, id: string): Promise<JobRow | undefined>;
  jobWithKey(owner: string, kind: string, caller: string, key: string): Promise<JobRow | undefined>;
  /** With an id below `before`, the newest first. */
  jobs(owner: string, filter: JobFilter, before: string | undefined, limit: number): Promise<readonly JobRow[]>;
  countJobs(owner: string): Promise<readonly { readonly state: JobRow["state"]; readonly count: number }[]>;
  /** How many of a caller's jobs are waiting; `most` if there are more. */
  countWaiting(owner: string, caller: string, most: number): Promise<number>;
  /** When the first waiting job of these kinds is due; undefined if none is due by then. */
  firstDueAt(owner: string, kinds: readonly string[], by: number): Promise<number | undefined>;
  /** Callers above `after` with a waiting job of these kinds that is due, in the order of their names. */
  dueCallers(owner: string, kinds: readonly string[], now: number, after: string, limit: number): Promise<readonly string[]>;
  /** The marks of running jobs; with `holder`, of its own. */
  heldJobs(owner: string, holder?: string): Promise<readonly HeldJob[]>;
}

export type HeldJob = Pick<JobRow, "id" | "holder" | "beat" | "cancelling">;

export interface TrimTimes {
  readonly dead: number;
  readonly other: number;
  /** What ended after this is kept, however much it is. */
  readonly surplus: number;
}

export interface JobWrites {
  /** Adds rows and returns their ids, without those whose key is taken: they are left out. */
  addJobs(rows: readonly JobRow[]): Promise<ReadonlySet<string>>;
  /**
   * Due jobs of a caller, by `dueAt` and then by id. Until the transaction ends, no other transaction gets these rows from this method: it passes
   * over them without waiting.
   */
  lockDueJobs(owner: string, kinds: readonly string[], caller: string, now: number, limit: number): Promise<readonly JobRow[]>;
  /** Changes the rows that are as expected, and returns them as they are then. */
  changeJobs(owner: string, ids: readonly string[], change: Partial<JobMarks>, expected: JobExpectation): Promise<readonly JobRow[]>;
  /** Counts up the beat of the jobs that the holder runs. Returns their marks. */
  beatJobs(owner: string, holder: string): Promise<readonly HeldJob[]>;
  /** Removes jobs that ended before these times, and, of dead ones and of the others, the oldest beyond `most`. Returns how many. */
  trimJobs(owner: string, before: TrimTimes, most: number): Promise<number>;
}
