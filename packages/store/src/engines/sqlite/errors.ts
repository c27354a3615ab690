import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError, type StoreErrorCode } from "../../errors.ts";

/** Turns an error of the driver into one that may be shown to callers; other errors stay as they are. */
export function toStoreError(error: unknown): unknown {
  const state = stateOf(error);
  if (state === undefined) return error;
  const [code, message] = states[state] ?? refused;
  return new StoreError(code, message, { cause: error });
}

/** For the operator who opens a store: names the file and the error of SQLite, which callers of an open store do not see. */
export function toOpenError(path: string, thrown: unknown): unknown {
  const error = toStoreError(thrown);
  if (!StoreError.is(error) || !(error.cause instanceof Error)) return error;
  const { cause, message } = error;
  const isReadOnly = stateOf(cause) === 14 && existsSync(dirname(path)) && !isWritable(dirname(path));
  return new StoreError(
    isReadOnly ? "STORE_READ_ONLY" : error.code,
    `The database file "${path}" cannot be opened (${cause.message}). ${message}`,
    {
      cause,
    },
  );
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** SQLITE_BUSY and SQLITE_LOCKED. */
export function isBusy(error: unknown): boolean {
  const state = stateOf(error);
  return state === 5 || state === 6;
}

export function busyError(timeoutMs: number, cause: unknown): StoreError {
  return new StoreError("STORE_UNAVAILABLE", `Another process has been writing to the database for ${timeoutMs} ms. Try again.`, { cause });
}

/** The primary result code of SQLite; undefined for other errors. */
function stateOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode, message } = error as Error & { readonly code?: unknown; readonly errcode?: unknown };
  if (code !== "ERR_SQLITE_ERROR") return undefined;
  // While rows are read, the driver passes on only the text of SQLite's error.
  return typeof errcode === "number" ? errcode & 0xff : (texts.find(([text]) => message.includes(text))?.[1] ?? 1);
}

const texts: readonly (readonly [text: string, state: number])[] = [
  ["is locked", 5],
  ["out of memory", 7],
  ["readonly database", 8],
  ["disk I/O error", 10],
  ["malformed", 11],
  ["is full", 13],
  ["unable to open database file", 14],
  ["is not a database", 26],
];

type Explained = readonly [code: StoreErrorCode, message: string];

const refused: Explained = ["STORE_FAILED", "The database refused a statement. The server's log says why."];
const damaged: Explained = [
  "STORE_DAMAGED",
  "The database file is damaged. Stop the server, keep a copy of the file, and restore a backup.",
];

/** By SQLite's result codes. */
const states: Readonly<Record<number, Explained>> = {
  5: ["STORE_UNAVAILABLE", "Another process keeps the database locked. Try again."],
  6: ["STORE_UNAVAILABLE", "Another process keeps the database locked. Try again."],
  7: ["STORE_UNAVAILABLE", "The database is short of memory. Try again in a moment."],
  8: ["STORE_READ_ONLY", "The database file cannot be written to. Nothing was written; try again when the server may write to it."],
  10: ["STORE_UNAVAILABLE", "The database file cannot be read or written. Try again when its disk works."],
  11: damaged,
  13: ["STORE_FULL", "The disk of the database is full. Nothing was written; try again when it has space."],
  14: ["STORE_UNAVAILABLE", "The database file cannot be opened. Try again when the server may read and write its folder."],
  26: damaged,
};
