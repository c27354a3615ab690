import { StoreError } from "../errors.ts";

/** With what a thread begins the message of its error, which then names the server: an error's code does not come out of a thread. */
export const leaseLostMark = "LEASE_LOST ";

/** What the message of a thread means; undefined where it is about something else. */
export function readLeaseLost(message: string): StoreError | undefined {
  return message.startsWith(leaseLostMark) ? leaseLost(message.slice(leaseLostMark.length)) : undefined;
}

export function leaseLost(server: string): StoreError {
  return new StoreError(
    "LEASE_LOST",
    `Server "${server}" lost its lease: it was out of contact for too long, and its calls were written down as aborted. Nothing was written. Take a new lease.`,
  );
}

export function isLeaseLost(error: unknown): boolean {
  return StoreError.is(error) && error.code === "LEASE_LOST";
}
