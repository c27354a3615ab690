import type { ClusterLease } from "../engine/cluster-lease.ts";
import type { Writes } from "../engine/engine.ts";
import { StoreError } from "../errors.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";

/**
 * Rejects with LEASE_LOST where somebody else took the lease, so that nothing of the transaction is written. `transaction` is the store that
 * `store.transaction` hands out. Until it ends, nobody can take the lease.
 */
export async function requireHeld(transaction: BreadcrumbStore, lease: ClusterLease): Promise<void> {
  const { unit } = insideOf(transaction);
  if (unit === undefined)
    throw new StoreError(
      "QUERY_INVALID",
      "A lease guards the transaction that it is checked in: pass the store that store.transaction hands you.",
    );
  await requireHeldIn(unit.tx, transaction.actor.owner, lease);
}

/** The same inside a transaction of the engine. */
export async function requireHeldIn(tx: Writes, owner: string, lease: ClusterLease): Promise<void> {
  if (await tx.holdsClusterLease(owner, lease)) return;
  throw new StoreError("LEASE_LOST", `The lease "${lease.name}" was taken by another server. Nothing was written. Take it again.`);
}
