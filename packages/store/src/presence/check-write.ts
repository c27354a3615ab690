import { randomBytes } from "node:crypto";
import { requireRole } from "../access.ts";
import { StoreError } from "../errors.ts";
import { readName } from "../record/read-draft.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";

/**
 * Writes a row and removes it again, in one transaction that is committed: rejects where the store can only be read, or not even that.
 * Nothing stays behind, and no other writer with another name is waited for.
 */
export async function checkWrite(store: BreadcrumbStore, name: string): Promise<void> {
  requireRole(store.actor, "emitter", "check that the store can be written to");
  readName(name, "The name");
  const { engine, clock, closed } = insideOf(store);
  if (closed.aborted) throw new StoreError("STORE_CLOSED", "The store was closed. Open it again.");
  await engine.writeAudit(async (tx) => {
    await tx.noteSighting(probes, { name, seenAt: clock.now(), info: JSON.stringify(randomBytes(room).toString("base64")) });
    await tx.forgetSighting(probes, name);
  });
}

/** Bytes that do not compress and need a page of their own: a small row may still fit on a full disk. */
const room = 6_000;

/** A separate owner, so that the rows are not taken for servers. */
const probes = "toolrack-write-check";
