import type { Lease } from "./presence.ts";

/** A row that the servers of one store share for a while: a batch of running calls, or a first answer. It is no record and has no revisions. */
export interface Note {
  readonly owner: string;
  readonly kind: "running" | "answer";
  readonly name: string;
  /** The server that works on it; "" for none. */
  readonly holder: string;
  /** Milliseconds since 1970; undefined: it does not expire. */
  readonly endsAt: number | undefined;
  /** JSON. */
  readonly body: string;
}

export interface NoteReads {
  /** Also one that expired, until `trimNotes` removes it. */
  note(owner: string, kind: Note["kind"], name: string): Promise<Note | undefined>;
  /** In the order of their names; with `holder`, only its own. Expired notes are included until `trimNotes` removes them. */
  notes(owner: string, kind: Note["kind"], limit: number, holder?: string): Promise<readonly Note[]>;
}

export interface NoteWrites {
  /**
   * Prevents other transactions from writing notes until this one ends, in every process. Waits for those under way, including a commit that a
   * process which has ended left to the database.
   */
  lockNotes(): Promise<void>;
  /** Adds them, or replaces those of the same owner, kind and name. */
  saveNotes(notes: readonly Note[]): Promise<void>;
  /** Adds it and returns true, unless there is one of the same name: then false, and nothing changes. Of several at once, one wins. */
  claimNote(note: Note): Promise<boolean>;
  /** A name that is not there is no error. */
  removeNotes(owner: string, kind: Note["kind"], names: readonly string[]): Promise<void>;
  /**
   * Removes the notes that expired by `now`. Then, of those without a holder (with `prefix`: whose names begin with it), removes those that
   * expire first until at most `most` are left. Returns how many were removed.
   */
  trimNotes(owner: string, kind: Note["kind"], now: number, most: number, prefix?: string): Promise<number>;
}

/** What `claimNote`, `trimNotes` and `saveNotes` do in a transaction, for an engine that needs one round trip for it. Each is a transaction of its own. */
export interface NoteClaims {
  /**
   * Adds the note unless there is one of its name ("taken") or the lease is not held ("lost"); in both cases nothing is written. Where it was added,
   * removes notes that expired, and those with the prefix and without a holder above `most`, those that expire first.
   */
  claim(
    note: Note,
    options: { readonly lease: Lease | undefined; readonly now: number; readonly most: number; readonly prefix: string | undefined },
  ): Promise<"claimed" | "taken" | "lost">;
  /** Replaces the note of this name while `holder` has it. Returns whether it did. */
  settle(note: Note, holder: string): Promise<boolean>;
  /** Removes it while `holder` has it. Returns whether it did. */
  drop(note: Pick<Note, "owner" | "kind" | "name">, holder: string): Promise<boolean>;
}
