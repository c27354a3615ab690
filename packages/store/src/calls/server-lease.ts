import type { Lease } from "../engine/presence.ts";

/**
 * The lease of a server: its entry in the list of `createPresence`, under which it begins calls. A server that does not report for too long
 * loses its lease to the server that records its calls as aborted, and continues under another name.
 */
export interface ServerLease extends Lease {
  /** The current name; it changes when a lease is lost. */
  readonly name: string;
  /** Call it with the name whose lease turned out to be lost. Resolves when a new lease was taken. */
  lost(name: string): Promise<void>;
  /** Calls the listener after each loss, before the next lease is used. Returns the function that stops it. */
  onLoss?(listener: () => void): () => void;
}

/** The lease, if there is one; a plain name has none. */
export function toLease(server: string | ServerLease | undefined): ServerLease | undefined {
  return typeof server === "object" ? server : undefined;
}

export function toName(server: string | ServerLease | undefined): string {
  return typeof server === "object" ? server.name : (server ?? "");
}
