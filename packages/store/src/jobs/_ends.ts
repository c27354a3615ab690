import type { Clock } from "@toolrack/core/node";
import type { Engine } from "../engine/engine.ts";
import type { JobExpectation, JobMarks, JobRow } from "../engine/jobs.ts";
import { StoreError } from "../errors.ts";
import type { JobEvent } from "./job-queue.ts";

/** What an attempt came to, and the row that it may be written to. */
export interface JobEnd {
  readonly id: string;
  readonly type: JobEvent["type"];
  readonly marks: Partial<JobMarks>;
  readonly expected: JobExpectation;
}

export interface EndWriter {
  /**
   * Resolves when the end is stored, or is not to be: its lease was lost, or the store was closed. Until then it is tried again: a result is not
   * given up because the database is away. `isStopped`: one failure is enough.
   */
  write(end: () => JobEnd, isStopped: () => boolean): Promise<void>;
}

export interface EndWriterHost {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly owner: string;
  tell(type: JobEvent["type"], row: JobRow): void;
  onStoreFailed(error: unknown): void;
}

/**
 * Stores ends that come together in one transaction. After a failure each has a transaction and pauses of its own: an end that cannot be stored
 * keeps no other from it.
 */
export function createEndWriter({ engine, clock, owner, tell, onStoreFailed }: EndWriterHost): EndWriter {
  interface Waiting {
    end(): JobEnd;
    isStopped(): boolean;
    resolve(): void;
    pauseMs: number;
  }
  const waiting: Waiting[] = [];
  let isWriting = false;
  let atOnce = most;

  function add(one: Waiting): void {
    waiting.push(one);
    if (!isWriting) void writeAll();
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      // Those that end in the same turn of the event loop come along.
      await new Promise<void>((resolve) => void setImmediate(resolve));
      const some = waiting.splice(0, atOnce);
      atOnce = (await write(some)) ? Math.min(2 * atOnce, most) : 1;
    }
    isWriting = false;
  }

  async function write(some: readonly Waiting[]): Promise<boolean> {
    const ends = some.map(({ end }) => end());
    try {
      const stored = await engine.writeAudit(async (tx) => {
        const rows: (JobRow | undefined)[] = [];
        for (const { id, marks, expected } of ends) rows.push((await tx.changeJobs(owner, [id], marks, expected))[0]);
        return rows;
      });
      stored.forEach((row, index) => row !== undefined && tell(ends[index]!.type, row));
      for (const one of some) one.resolve();
      return true;
    } catch (error) {
      const isClosed = StoreError.is(error) && error.code === "STORE_CLOSED";
      if (!isClosed) onStoreFailed(error);
      for (const one of some) {
        if (isClosed || one.isStopped()) one.resolve();
        else if (some.length > 1) waiting.push(one);
        else {
          one.pauseMs = Math.min(one.pauseMs === 0 ? 100 : one.pauseMs * 2, 5_000);
          clock.after(one.pauseMs, () => add(one));
        }
      }
      return false;
    }
  }

  return { write: (end, isStopped) => new Promise<void>((resolve) => add({ end, isStopped, resolve, pauseMs: 0 })) };
}

/** In one transaction, so that other writers do not wait for long. */
const most = 64;
