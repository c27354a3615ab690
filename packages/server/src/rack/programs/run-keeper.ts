import { ToolError } from "@toolrack/core";
import type { BreadcrumbStore } from "@toolrack/store";
import type { RunContent, RunRecords, RunStatus, StoredRun } from "./run-record.ts";

/** How a program ended. */
export type RunEnd = Pick<RunContent, "outcome" | "error">;

export type DraftOf = (status: RunStatus, end?: RunEnd) => Omit<StoredRun, "version">;

/** The record of a program that runs here: nothing until it waits first, then written in order, one version after the other. */
export class RunKeeper {
  readonly #id: string;
  readonly #records: RunRecords;
  readonly #draft: DraftOf;
  #version: number | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  /** Whether it is stored, or is about to be. */
  #isKept: boolean;
  /** Whether the record is older than the program. */
  isAhead = true;

  /** `draft` gives the program as it is now. */
  constructor(id: string, records: RunRecords, stored: StoredRun | undefined, draft: DraftOf) {
    this.#id = id;
    this.#records = records;
    this.#draft = draft;
    this.#version = stored?.version;
    this.#isKept = stored !== undefined;
  }

  get isStored(): boolean {
    return this.#version !== undefined;
  }

  get isKept(): boolean {
    return this.#isKept;
  }

  /** What this server wrote last. Throws if another one wrote since. */
  async read(): Promise<StoredRun> {
    const stored = await this.#records.get(this.#id);
    if (stored === undefined || stored.version !== this.#version || stored.content.state === undefined) throw this.#lost();
    return stored;
  }

  async save(): Promise<void> {
    await this.#alone(async () => {
      // Where the question could not be stored, there is nothing to keep.
      if (this.#isKept) await this.#write("waiting");
      this.isAhead = !this.#isKept;
    });
  }

  /** Its end, if it was ever stored. */
  async finish(status: RunStatus, end: RunEnd): Promise<void> {
    if (this.isStored) await this.#alone(() => this.#write(status, end));
  }

  /** Takes the lock on the record, to write it in the transaction of a question. `done` gives the lock back. */
  async join(): Promise<JoinedWrite> {
    const wasKept = this.#isKept;
    this.#isKept = true;
    const release = await this.#lock();
    let draft: Omit<StoredRun, "version"> | undefined;
    let version: number | undefined;
    return {
      prepare: () => {
        draft = this.#draft("waiting");
        this.isAhead = false;
      },
      write: async (tx) => {
        version = await this.#records.write(draft!, this.#version, tx);
        if (version === undefined) throw this.#lost();
      },
      done: (isWritten) => {
        // Whoever waits for the answer keeps this: a program that waits is in its record alone.
        draft = undefined;
        if (isWritten) this.#version = version;
        else {
          this.isAhead = true;
          this.#isKept = wasKept;
        }
        release();
      },
    };
  }

  async #write(status: RunStatus, end?: RunEnd): Promise<void> {
    const version = await this.#records.write(this.#draft(status, end), this.#version);
    if (version === undefined) throw this.#lost();
    this.#version = version;
  }

  async #alone(work: () => Promise<void>): Promise<void> {
    const release = await this.#lock();
    try {
      await work();
    } finally {
      release();
    }
  }

  async #lock(): Promise<() => void> {
    const before = this.#writing;
    let release = (): void => undefined;
    this.#writing = new Promise<void>((resolve) => (release = resolve));
    await before;
    return release;
  }

  #lost(): ToolError {
    return new ToolError("ABORTED", `Another server goes on with the program "${this.#id}", or it was removed. This one stops.`);
  }
}

export interface JoinedWrite {
  prepare(): void;
  write(tx: BreadcrumbStore): Promise<void>;
  done(isWritten: boolean): void;
}
