import { StoreError } from "../../errors.ts";
import { toOpenError } from "./errors.ts";

/** The part of the driver that we use, so that replacing it touches one file. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  all(...values: unknown[]): unknown[];
  run(...values: unknown[]): { changes: number | bigint };
  columns(): unknown[];
}

export interface SqliteDriver {
  /** The module to load. */
  readonly name: string;
  /** How long the driver waits for other writers, blocking the thread. */
  open(path: string, busyMs: number): SqliteDatabase;
}

/** The bundled driver, else the one of a newer Node. */
export async function loadSqlite(): Promise<SqliteDriver> {
  const reasons: string[] = [];
  for (const name of ["@photostructure/sqlite", "node:sqlite"]) {
    try {
      const { DatabaseSync } = (await import(name)) as { DatabaseSync: new (path: string, options: { timeout: number }) => SqliteDatabase };
      return { name, open: (path, busyMs) => open(() => new DatabaseSync(path, { timeout: busyMs }), path) };
    } catch (error) {
      reasons.push(`${name}: ${(error as Error).message.split("\n")[0]}`);
    }
  }
  throw new StoreError("STORE_UNAVAILABLE", `No SQLite driver can be loaded on this machine. ${reasons.join(" · ")}`);
}

function open(make: () => SqliteDatabase, path: string): SqliteDatabase {
  try {
    return make();
  } catch (cause) {
    throw toOpenError(path, cause);
  }
}
