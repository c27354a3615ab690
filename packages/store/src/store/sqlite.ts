import type { SqliteEngineOptions } from "../engines/sqlite/sqlite.ts";
import { createStore, type StoreOptions } from "./create-store.ts";
import type { BreadcrumbStore } from "./store.ts";

export interface SqliteStoreOptions extends StoreOptions, SqliteEngineOptions {}

/** A store in one file: the default for one machine. Several processes may share the file. */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<BreadcrumbStore> {
  // The driver is loaded only when it is used.
  const { createSqliteEngine } = await import("../engines/sqlite/sqlite.ts");
  return createStore(await createSqliteEngine(options), options);
}
