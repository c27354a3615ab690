import type { SessionRow } from "../engine/sessions.ts";
import { StoreError } from "../errors.ts";
import type { SessionLease } from "./session-store.ts";

export function holds({ id, holder, fence }: SessionRow, lease: SessionLease): boolean {
  return lease.session === id && holder !== "" && lease.holder === holder && lease.fence === fence;
}

/** Throws LEASE_LOST or SESSION_ENDED where the session must not be written. */
export function requireWritable(row: SessionRow, lease: SessionLease | undefined): void {
  if (lease !== undefined && !holds(row, lease)) throw leaseLost(row, lease);
  if (row.status === "ended")
    throw new StoreError("SESSION_ENDED", `The session "${row.key}" has ended. Nothing was written; begin another one.`);
}

export function leaseLost({ key, holder, status }: SessionRow, lease: SessionLease): StoreError {
  const reason = status === "ended" ? "the session has ended" : holder === "" ? "it was released" : "another one took it";
  return new StoreError(
    "LEASE_LOST",
    `"${lease.holder}" no longer holds the session "${key}": ${reason}. Nothing was written; stop this run, or take the session again.`,
  );
}

export function requireLast({ key, last }: SessionRow, after: number): void {
  if (after === last) return;
  throw new StoreError(
    "SESSION_CHANGED",
    `The newest message of the session "${key}" is ${last}, not ${after}. Nothing was written; read what came after ${after}, then decide again.`,
  );
}

export function unknown(session: unknown): StoreError {
  return new StoreError(
    "SESSION_UNKNOWN",
    `There is no session ${JSON.stringify(String(session).slice(0, 80))}. List the sessions for their ids.`,
  );
}

export function full(message: string): StoreError {
  return new StoreError("SESSION_FULL", message);
}
