/** When something that runs elsewhere was heard of last. No record, no revision, no event. */
export interface Sighting {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
  /** JSON: what it says of itself. */
  readonly info: string;
}

export interface PresenceReads {
  /** In the order of their names. */
  sightings(owner: string): Promise<readonly Sighting[]>;
}

export interface PresenceWrites {
  noteSighting(owner: string, sighting: Sighting): Promise<void>;
  forgetSighting(owner: string, name: string): Promise<void>;
}
