import { StoreError } from "../errors.ts";

/** With what a thread begins the message of its error, which then names the server: an error's code does not come out of a thread. */
export const leaseLostMark = "LEASE_LOST ";

/** What the message of a thread means; undefined where it is about something else. */
export function readLeaseLost(message: string): StoreError | undefined {
  return message.startsWith(leaseLostMark) ? leaseLost(message.slice(leaseLostMark.length)) : undefined;
}

export function leaseLost(server: string): StoreError {
  const message = `Server "${server}" lost its lease: it was out of contact for too long, and its calls were written down as aborted. Nothing was written. Take a new lease.`;
  return Object.assign(new StoreError("LEASE_LOST", message), { server });
}

/** The server whose lease is lost; undefined for another error. */
export function serverOfLost(error: unknown): string | undefined {
  return StoreError.is(error) && error.code === "LEASE_LOST" ? (error as { readonly server?: string }).server : undefined;
}
