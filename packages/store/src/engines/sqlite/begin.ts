import { setTimeout as sleep } from "node:timers/promises";
import { busyError, isBusy, toStoreError } from "./errors.ts";
import type { SqliteDatabase } from "./load.ts";

/** Begins a transaction that keeps other writers out, and waits for other processes without blocking the thread. */
export async function begin(database: SqliteDatabase, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let tries = 0; ; tries++) {
    try {
      database.exec("begin immediate");
      return;
    } catch (error) {
      if (!isBusy(error)) throw toStoreError(error);
      if (performance.now() >= deadline) throw busyError(timeoutMs, error);
    }
    await sleep(1 + Math.random() * Math.min(20, 2 + tries));
  }
}

/** After a full disk or an I/O error, SQLite may have rolled back already; the original error is the one to report. */
export function rollback(database: SqliteDatabase): void {
  try {
    database.exec("rollback");
  } catch {
    // No transaction is active any more.
  }
}
