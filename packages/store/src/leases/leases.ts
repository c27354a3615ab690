import { requireRole } from "../access.ts";
import type { ClusterLease } from "../engine/cluster-lease.ts";
import { StoreError } from "../errors.ts";
import { readName } from "../record/read-draft.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";

/**
 * Leases by name, for work that one server does for all of them: each is held by at most one holder at a time. A holder that was paused may
 * still believe that it holds a lease which ended; so what it writes is guarded by the token: `requireHeld` in the same transaction.
 */
export interface Leases {
  /** Takes the lease for so long; undefined while somebody holds it, the same holder included. */
  acquire(name: string, holder: string, ttlMs: number): Promise<ClusterLease | undefined>;
  /** Prolongs it from now on. False: somebody else took it, or it was released; stop the work. */
  renew(lease: ClusterLease, ttlMs: number): Promise<boolean>;
  /** Frees it for the next one. */
  release(lease: ClusterLease): Promise<void>;
}

export function createLeases(store: BreadcrumbStore): Leases {
  const { engine } = insideOf(store);
  const { owner } = store.actor;
  const require = (): void => requireRole(store.actor, "emitter", "take leases");
  return {
    async acquire(name, holder, ttlMs) {
      require();
      readName(name, "The name of a lease");
      readName(holder, "The holder of a lease");
      const token = await engine.writeAudit((tx) => tx.takeClusterLease(owner, name, holder, readTtl(ttlMs)));
      return token === undefined ? undefined : { name, token };
    },
    async renew(lease, ttlMs) {
      require();
      return engine.writeAudit((tx) => tx.renewClusterLease(owner, lease, readTtl(ttlMs)));
    },
    async release(lease) {
      require();
      await engine.writeAudit((tx) => tx.releaseClusterLease(owner, lease));
    },
  };
}

function readTtl(ttlMs: number): number {
  if (Number.isSafeInteger(ttlMs) && ttlMs >= 1) return ttlMs;
  throw new StoreError("QUERY_INVALID", `A lease lasts a whole number of milliseconds, at least 1; ${ttlMs} is none.`);
}
