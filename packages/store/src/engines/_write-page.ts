import { appendLines } from "../engine/chain.ts";
import { leaseLost } from "../engine/lease.ts";
import type { LogPage } from "../engine/log.ts";
import type { Writes } from "../engine/engine.ts";

export async function writePage(tx: Writes, { lines, key, owner, lease, removed, saved }: LogPage): Promise<void> {
  await appendLines(tx, lines, key);
  await tx.removeNotes(owner, "running", removed);
  await tx.saveNotes(saved);
  if (lease !== undefined && !(await tx.holdsLease(lease))) throw leaseLost(lease.name);
}
