import type { PostgresEngineOptions } from "../engines/postgres/postgres.ts";
import { createStore, type StoreOptions } from "./create-store.ts";
import type { BreadcrumbStore } from "./store.ts";

export interface PostgresStoreOptions extends StoreOptions, PostgresEngineOptions {}

/** A store for several machines. */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<BreadcrumbStore> {
  // The driver is loaded only when it is used.
  const { createPostgresEngine } = await import("../engines/postgres/postgres.ts");
  return createStore(await createPostgresEngine(options), options);
}
