import { randomUUID } from "node:crypto";
import type { BreadcrumbStore } from "@toolrack/store";

/** Rejects while the store cannot write: a database that only reads is as good as none. What it writes goes by itself. */
export async function tryStore(store: BreadcrumbStore): Promise<void> {
  await store.put({
    id: `store-check-${randomUUID()}`,
    schema_name: "toolrack.store-check.v1",
    title: "The store can be written to",
    context: {},
    ttl: { afterMs: 1_000 },
    visibility: "private",
  });
}
