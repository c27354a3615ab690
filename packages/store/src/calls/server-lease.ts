import type { Lease } from "../engine/presence.ts";

/**
 * The lease of a server: its place on the list of `createPresence`, under which it begins calls. A server that is out of contact for too
 * long loses it to whoever writes down its calls as aborted, and goes on under another name.
 */
export interface ServerLease extends Lease {
  /** The name that is held now; another one after a lease was lost. */
  readonly name: string;
  /** To be called with the name whose lease was found to be lost. Settles when there is another lease. */
  lost(name: string): Promise<void>;
  /** Tells of each loss, before anything is done under the next lease. Answers the function that stops it. */
  onLoss?(listener: () => void): () => void;
}

/** The lease where there is one; a name alone is not held by anything. */
export function toLease(server: string | ServerLease | undefined): ServerLease | undefined {
  return typeof server === "object" ? server : undefined;
}

export function toName(server: string | ServerLease | undefined): string {
  return typeof server === "object" ? server.name : (server ?? "");
}
