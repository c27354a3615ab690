import { StoreError } from "../../errors.ts";

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

type Driver = { DatabaseSync: new (path: string, options: { timeout: number }) => SqliteDatabase };

/** Opens a database with the bundled driver, else with the one of a newer Node. */
export async function openSqlite(path: string, busyMs: number): Promise<SqliteDatabase> {
  const reasons: string[] = [];
  for (const name of ["@photostructure/sqlite", "node:sqlite"]) {
    let driver: Driver;
    try {
      driver = (await import(name)) as Driver;
    } catch (error) {
      reasons.push(`${name}: ${(error as Error).message.split("\n")[0]}`);
      continue;
    }
    try {
      return new driver.DatabaseSync(path, { timeout: busyMs });
    } catch (error) {
      throw new StoreError("STORE_UNAVAILABLE", `The database file "${path}" cannot be opened: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  throw new StoreError("STORE_UNAVAILABLE", `No SQLite driver can be loaded on this machine. ${reasons.join(" · ")}`);
}
