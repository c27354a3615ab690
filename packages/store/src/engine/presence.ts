/** When a server, or the host of remote tools, last reported. It is no record and has no revisions. */
export interface Sighting {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
  /** JSON: what it reports about itself. */
  readonly info: string;
}

/**
 * A server's entry in the list of live servers. While it is there, only that server ends the calls that it began: another server that ends
 * them removes the entry first, in the same transaction, and from then on every page under this lease is refused.
 */
export interface Lease {
  /** Whose list it is. */
  readonly owner: string;
  /** The name of the server. */
  readonly name: string;
}

export interface PresenceReads {
  /** In the order of their names. */
  sightings(owner: string): Promise<readonly Sighting[]>;
}

export interface PresenceWrites {
  /** Adds or replaces the entry. */
  noteSighting(owner: string, sighting: Sighting): Promise<void>;
  /** Replaces the entry and returns true; false, and no change, where there is none: the lease was lost. */
  renewSighting(owner: string, sighting: Sighting): Promise<boolean>;
  /**
   * Whether the entry is there. From this call until the transaction ends, no other transaction may remove it: a page that was allowed is
   * committed before the lease can be taken away.
   */
  holdsLease(lease: Lease): Promise<boolean>;
  /** Removes the entry, if it is there. */
  forgetSighting(owner: string, name: string): Promise<void>;
}
