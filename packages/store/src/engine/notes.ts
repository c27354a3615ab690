/** Something that servers on one store remember together for a while. No record, no revision, no event. */
export interface Note {
  readonly owner: string;
  readonly kind: "running" | "answer";
  readonly name: string;
  /** The server that is at work on it; "" when nobody is. */
  readonly holder: string;
  /** Milliseconds since 1970; undefined means that it does not end by itself. */
  readonly endsAt: number | undefined;
  /** JSON. */
  readonly body: string;
}

export interface NoteReads {
  note(owner: string, kind: Note["kind"], name: string): Promise<Note | undefined>;
  /** In the order of their names, of one holder where that is given. */
  notes(owner: string, kind: Note["kind"], limit: number, holder?: string): Promise<readonly Note[]>;
}

export interface NoteWrites {
  /** Waits for writers of notes that are under way, also for what a process that has ended left to be committed, and keeps new ones out. */
  lockNotes(): Promise<void>;
  saveNotes(notes: readonly Note[]): Promise<void>;
  /** Answers false where one of the name is there, which then stays as it is. */
  claimNote(note: Note): Promise<boolean>;
  removeNotes(owner: string, kind: Note["kind"], names: readonly string[]): Promise<void>;
  /**
   * Removes what ended by `now`, and of those that nobody holds the ones that end first, until at most `most` are left; with a prefix, of
   * those whose names begin so. Answers how many went.
   */
  trimNotes(owner: string, kind: Note["kind"], now: number, most: number, prefix?: string): Promise<number>;
}
