import { appendLines } from "./_chain.ts";
import { leaseLost } from "./_lease.ts";
import type { LogPage } from "./_log.ts";
import type { Writes } from "./engine.ts";

export async function writePage(tx: Writes, { lines, key, owner, lease, removed, saved }: LogPage): Promise<void> {
  await appendLines(tx, lines, key);
  await tx.removeNotes(owner, "running", removed);
  await tx.saveNotes(saved);
  if (lease !== undefined && !(await tx.holdsLease(lease))) throw leaseLost(lease.name);
}
