/** Which changes may be removed. */
export interface OldChangesPlan {
  /** Only changes above this number … */
  readonly after: number;
  /** … up to and including this one. */
  readonly upTo: number;
  /** How many of the newest revisions of a live record stay. */
  readonly revisions: number;
  /** Live records of this schema keep all of their revisions. */
  readonly wholeSchema: string;
}

export interface OldChange {
  readonly sequence: number;
  readonly owner: string;
  readonly id: string;
  readonly schemaName: string;
  /** Whether this change removed the record, and nothing came after it; else it is a revision beyond those that stay. */
  readonly isEnd: boolean;
}

export interface RetentionReads {
  /** The highest number of a change that was removed; 0 where none was. Above it no change is missing. */
  changesBegin(): Promise<number>;
  /** In the order of their numbers. Never the newest revision of a live record. */
  oldChanges(plan: OldChangesPlan): Promise<readonly OldChange[]>;
}

export interface RetentionWrites {
  dropChanges(sequences: readonly number[]): Promise<void>;
  /** Removes records that ended, with all of their changes; one that is there again stays. Answers how many records went. */
  dropEnded(ends: readonly OldChange[]): Promise<number>;
}
