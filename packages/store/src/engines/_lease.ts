import { StoreError } from "../errors.ts";

/** What a thread says in the place of an error with a code. */
export const leaseLostMark = "LEASE_LOST";

export function leaseLost(server: string): StoreError {
  return new StoreError(
    "LEASE_LOST",
    `Server "${server}" lost its lease: it was out of contact for too long, and its calls were written down as aborted. Nothing was written. Take a new lease.`,
  );
}

export function isLeaseLost(error: unknown): boolean {
  return StoreError.is(error) && error.code === "LEASE_LOST";
}
