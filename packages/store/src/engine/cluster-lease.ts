/** The right of one server to do something for all servers of a store. Every time it is taken, its token grows. */
export interface ClusterLease {
  readonly name: string;
  /** Greater than that of every holder before. */
  readonly token: number;
}

/**
 * Times are those of the database, so that the clocks of servers need not agree. A lease that was released or has ended stays as a row, so that
 * its tokens keep growing.
 */
export interface ClusterLeaseWrites {
  /** Takes the lease and returns its token; undefined while somebody holds it. Of several at once, one gets it. */
  takeClusterLease(owner: string, name: string, holder: string, ttlMs: number): Promise<number | undefined>;
  /** Prolongs it from now on; false where it was released, or taken by another one after it had ended. */
  renewClusterLease(owner: string, lease: ClusterLease, ttlMs: number): Promise<boolean>;
  /** Frees it at once; nothing happens where somebody else holds it. */
  releaseClusterLease(owner: string, lease: ClusterLease): Promise<void>;
  /** Whether nobody took it since. From this call until the transaction ends, nobody can. */
  holdsClusterLease(owner: string, lease: ClusterLease): Promise<boolean>;
}
