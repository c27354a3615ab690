import type { Engine, Writes } from "../engine/engine.ts";
import type { JobRow } from "../engine/jobs.ts";

export interface AddWriter<Answer> {
  /** Rejects as `add` does; nothing of it is stored then. */
  write(rows: readonly JobRow[]): Promise<readonly Answer[]>;
}

/**
 * Stores jobs of several callers that come together in one transaction: a burst of them costs little more than one. Where that fails, each of
 * them has a transaction of its own, so that nobody pays for another one's mistake.
 */
export function createAddWriter<Answer>(
  engine: Engine,
  add: (tx: Writes, rows: readonly JobRow[]) => Promise<readonly Answer[]>,
): AddWriter<Answer> {
  interface Waiting {
    readonly rows: readonly JobRow[];
    resolve(answers: readonly Answer[]): void;
    reject(error: unknown): void;
  }
  const waiting: Waiting[] = [];
  let isWriting = false;

  const write = (rows: readonly JobRow[]): Promise<readonly Answer[]> => engine.writeAudit((tx) => add(tx, rows));

  function take(): Waiting[] {
    const some: Waiting[] = [];
    for (let count = 0; waiting.length > 0 && (some.length === 0 || count + waiting[0]!.rows.length <= mostRows);) {
      count += waiting[0]!.rows.length;
      some.push(waiting.shift()!);
    }
    return some;
  }

  async function writeTogether(some: readonly Waiting[]): Promise<boolean> {
    try {
      const answers = await write(some.flatMap(({ rows }) => rows));
      let start = 0;
      for (const { rows, resolve } of some) resolve(answers.slice(start, (start += rows.length)));
      return true;
    } catch {
      return false;
    }
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      // Those of the same turn of the event loop come along.
      await new Promise<void>((resolve) => void setImmediate(resolve));
      const some = take();
      if (some.length > 1 && (await writeTogether(some))) continue;
      for (const { rows, resolve, reject } of some) await write(rows).then(resolve, reject);
    }
    isWriting = false;
  }

  return {
    write: (rows) =>
      new Promise((resolve, reject) => {
        waiting.push({ rows, resolve, reject });
        if (!isWriting) void writeAll();
      }),
  };
}

const mostRows = 64;
