import { StoreError } from "../errors.ts";

/** Begins the message of an error from another thread, followed by the name of the server: the code of an error is lost between threads. */
export const leaseLostMark = "LEASE_LOST ";

/** The error in a message from another thread; undefined for any other message. */
export function readLeaseLost(message: string): StoreError | undefined {
  return message.startsWith(leaseLostMark) ? leaseLost(message.slice(leaseLostMark.length)) : undefined;
}

/** What `writeLog` rejects with when the lease of the page is no longer held. */
export function leaseLost(server: string): StoreError {
  const message = `Server "${server}" lost its lease: it was out of contact for too long, and its calls were recorded as aborted. Nothing was written. Take a new lease.`;
  return Object.assign(new StoreError("LEASE_LOST", message), { server });
}

/** The server whose lease is lost; undefined for another error. */
export function serverOfLost(error: unknown): string | undefined {
  return StoreError.is(error) && error.code === "LEASE_LOST" ? (error as { readonly server?: string }).server : undefined;
}
