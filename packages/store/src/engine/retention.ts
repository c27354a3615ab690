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
  /** True: this change removed the record, and it is still removed. False: an old revision of a live record. */
  readonly isEnd: boolean;
}

export interface RetentionReads {
  /** The highest number of a change that retention removed; 0 for none. Above it no change is missing. */
  changesBegin(): Promise<number>;
  /** Changes that may be removed, in the order of their numbers. Never the newest revision of a live record. */
  oldChanges(plan: OldChangesPlan): Promise<readonly OldChange[]>;
}

export interface RetentionWrites {
  /** Removes these changes; `changesBegin` rises to the highest of them. */
  dropChanges(sequences: readonly number[]): Promise<void>;
  /** Removes the heads and all changes of records that are still removed since that change; others stay. Returns how many records went. */
  dropEnded(ends: readonly OldChange[]): Promise<number>;
}
