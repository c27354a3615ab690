import { setTimeout as sleep } from "node:timers/promises";
import { StoreError } from "../../errors.ts";
import type { SqliteDatabase } from "./load.ts";

/** Begins a transaction that keeps other writers out, waiting for another process without standing still. */
export async function begin(database: SqliteDatabase, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let tries = 0; ; tries++) {
    try {
      database.exec("begin immediate");
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() >= deadline) throw busyError(timeoutMs, error);
    }
    await sleep(1 + Math.random() * Math.min(20, 2 + tries));
  }
}

export function busyError(timeoutMs: number, cause: unknown): StoreError {
  return new StoreError("STORE_UNAVAILABLE", `Another process has been writing to the database for ${timeoutMs} ms. Try again.`, { cause });
}

/** SQLITE_BUSY and SQLITE_LOCKED. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && /database (table )?is locked|SQLITE_BUSY/i.test(error.message);
}
