import type { Engine, Migrations } from "../engine/engine.ts";
import { insideOf } from "./create-store.ts";
import type { BreadcrumbStore } from "./store.ts";

/** What an operator wants to know about a store. */
export interface StoreFacts {
  readonly kind: Engine["kind"];
  /** The number of the newest change. */
  readonly sequence: number;
  readonly migrations: Migrations;
}

/** How many bytes the store takes on its disk; undefined where nobody knows, as of one in memory. Rejects while the database is down. */
export async function readStoreSize(store: BreadcrumbStore): Promise<number | undefined> {
  return insideOf(store).engine.sizeBytes?.();
}

/** Two small queries; rejects while the database is down. */
export async function readStoreFacts(store: BreadcrumbStore): Promise<StoreFacts> {
  const { engine } = insideOf(store);
  const [sequence, migrations] = await Promise.all([engine.lastSequence(), engine.migrations()]);
  return { kind: engine.kind, sequence, migrations };
}
