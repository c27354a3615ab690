import { appendLines } from "./chain.ts";
import { leaseLost } from "./lease.ts";
import type { LogPage } from "./log.ts";
import type { Writes } from "./engine.ts";

/** Writes a page inside a transaction: what `writeLog` of an engine has to do. Rejects with LEASE_LOST where the lease is not held. */
export async function writeLogPage(tx: Writes, { lines, key, owner, lease, removed, saved }: LogPage): Promise<void> {
  await appendLines(tx, lines, key);
  await tx.removeNotes(owner, "running", removed);
  await tx.saveNotes(saved);
  if (lease !== undefined && !(await tx.holdsLease(lease))) throw leaseLost(lease.name);
}
