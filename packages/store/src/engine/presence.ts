/** When something that runs elsewhere was heard of last. No record, no revision, no event. */
export interface Sighting {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
  /** JSON: what it says of itself. */
  readonly info: string;
}

/** A server's place on the list of those that are alive. It holds the calls that the server began: whoever ends those takes it away. */
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
  noteSighting(owner: string, sighting: Sighting): Promise<void>;
  /** Answers false where the server is not on the list, which then stays as it is. */
  renewSighting(owner: string, sighting: Sighting): Promise<boolean>;
  /**
   * Whether a server is on the list. To be asked after the transaction has written something: whoever takes a lease away waits for what is
   * being written.
   */
  holdsLease(lease: Lease): Promise<boolean>;
  forgetSighting(owner: string, name: string): Promise<void>;
}
