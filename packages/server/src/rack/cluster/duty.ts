import { type ClusterLease, type Leases, StoreError } from "@toolrack/store";

/** Work that one server of a store does for all of them: whoever holds the lease. */
export interface Duty {
  /** Does the work if this server has the lease, or gets it now. Resolves with whether it did. */
  run(work: (lease: ClusterLease) => Promise<unknown>): Promise<boolean>;
  /** Leaves it to another server. */
  close(): Promise<void>;
}

export interface DutyOptions {
  readonly leases: Leases;
  readonly name: string;
  /** The name of this server, which changes when it lost its own lease. */
  holder(): string;
  /** After this time another server takes over from one that ended. @default 10_000 */
  readonly ttlMs?: number;
}

export function createDuty({ leases, name, holder, ttlMs = 10_000 }: DutyOptions): Duty {
  let held: ClusterLease | undefined;
  let isClosed = false;
  /** When the lease was last taken or renewed, or was last found taken. */
  let askedAt = Number.NEGATIVE_INFINITY;
  const isSince = (ms: number): boolean => performance.now() - askedAt >= ms;

  async function hold(): Promise<ClusterLease | undefined> {
    // A server that waits for the lease asks rarely: there may be a thousand of them.
    if (!isSince(held === undefined ? ttlMs / 2 : ttlMs / 4)) return held;
    askedAt = performance.now();
    if (held !== undefined && !(await leases.renew(held, ttlMs))) held = undefined;
    else held ??= await leases.acquire(name, holder(), ttlMs);
    return held;
  }

  return {
    async run(work) {
      const lease = isClosed ? undefined : await hold();
      if (lease === undefined) return false;
      try {
        await work(lease);
        return true;
      } catch (error) {
        if (!StoreError.is(error) || error.code !== "LEASE_LOST") throw error;
        held = undefined;
        return false;
      }
    },
    async close() {
      isClosed = true;
      const lease = held;
      held = undefined;
      if (lease !== undefined) await leases.release(lease);
    },
  };
}
