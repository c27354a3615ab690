import pg from "pg";
import { StoreError, type StoreErrorCode } from "../../errors.ts";

/** Turns an error of the driver into one that may be shown to callers: without address, user, table or statement. */
export function toStoreError(error: unknown): StoreError {
  return tell(error, explain(error));
}

/** The same for an error while a connection was opened. */
export function toConnectError(error: unknown): StoreError {
  const explained = explain(error);
  return tell(error, explained === away || explained === refused ? noConnection : explained);
}

function tell(error: unknown, [code, message]: Explained): StoreError {
  return StoreError.is(error) ? error : new StoreError(code, message, { cause: error });
}

/** For an answer that did not come. */
export function overdue(): StoreError {
  return new StoreError(
    "STORE_UNAVAILABLE",
    "The database did not answer in time. What was under way may or may not be written: read it, then try again.",
  );
}

/** Whether the connection is unusable: it broke, or a late answer may still arrive on it. */
export function isConnectionLost(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(08|57P|25P03)/.test(String(error.code));
}

/** Whether the database refused a statement because of what it says or what is stored: nothing of it was written. */
export function isRefused(error: unknown): boolean {
  return StoreError.is(error) && error.code === "STORE_FAILED" && error.cause instanceof pg.DatabaseError;
}

type Explained = readonly [code: StoreErrorCode, message: string];

const away: Explained = [
  "STORE_UNAVAILABLE",
  "The database does not answer. What was under way may or may not be written: read it, then try again.",
];

function explain(error: unknown): Explained {
  return error instanceof pg.DatabaseError ? (byState(String(error.code)) ?? refused) : away;
}

const noConnection: Explained = ["STORE_UNAVAILABLE", "No connection to the database can be opened. Try again in a moment."];
const refused: Explained = ["STORE_FAILED", "The database refused a statement. The server's log says why."];

/** By SQLSTATE, the longest beginning first. */
const states: readonly (readonly [beginning: string, explained: Explained])[] = [
  ["53100", ["STORE_FULL", "The disk of the database is full. Nothing was written; try again when it has space."]],
  ["53300", ["STORE_UNAVAILABLE", "The database has no free connection. Try again in a moment."]],
  ["53", ["STORE_UNAVAILABLE", "The database is short of memory or of another resource. Try again in a moment."]],
  ["25006", ["STORE_READ_ONLY", "The database accepts no writes at the moment. Nothing was written; try again when it does."]],
  ["57014", ["STORE_UNAVAILABLE", "The database did not finish a statement in time. Nothing was written; try again later."]],
  ["55P03", ["STORE_UNAVAILABLE", "Another server kept the database locked for too long. Nothing was written; try again."]],
  ["40", ["STORE_UNAVAILABLE", "The database gave another transaction precedence. Nothing was written; try again."]],
  ["28", ["STORE_UNAVAILABLE", "The database refuses the server's sign-in. Try again when its user and password are right."]],
  ["3D", ["STORE_UNAVAILABLE", "The database does not exist any more. Try again when it does."]],
  ["42501", ["STORE_UNAVAILABLE", "The database does not let the server's user do this. Try again when it has the right."]],
  ["42P01", ["STORE_UNAVAILABLE", "The tables of the store are not there. Restore the database, or restart the server to make them anew."]],
  ["3F", ["STORE_UNAVAILABLE", "The tables of the store are not there. Restore the database, or restart the server to make them anew."]],
  ["XX001", ["STORE_DAMAGED", "The database reports damaged data. Stop the servers and restore a backup."]],
  ["XX002", ["STORE_DAMAGED", "The database reports a damaged index. Stop the servers and rebuild its indexes, or restore a backup."]],
  ["58", ["STORE_UNAVAILABLE", "The database cannot read or write its files. Try again when its storage works."]],
  ["57P", away],
  ["25P03", away],
  ["08", away],
];

function byState(state: string): Explained | undefined {
  return states.find(([beginning]) => state.startsWith(beginning))?.[1];
}
