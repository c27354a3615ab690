import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { busyError, isBusy, toOpenError, toStoreError } from "../../src/engines/sqlite/errors.ts";

const sqliteError = (errcode: number | undefined, message = "details") =>
  Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", ...(errcode !== undefined && { errcode }) });

describe("an error of SQLite", () => {
  it.each<[errcode: number, text: string, code: string, message: string]>([
    [5, "database is locked", "STORE_UNAVAILABLE", "Another process keeps the database locked."],
    [6, "database table is locked", "STORE_UNAVAILABLE", "Another process keeps the database locked."],
    [7, "out of memory", "STORE_UNAVAILABLE", "The database is short of memory."],
    [8, "attempt to write a readonly database", "STORE_READ_ONLY", "The database file cannot be written to."],
    [10, "disk I/O error", "STORE_UNAVAILABLE", "The database file cannot be read or written."],
    [11, "database disk image is malformed", "STORE_DAMAGED", "The database file is damaged."],
    [13, "database or disk is full", "STORE_FULL", "The disk of the database is full."],
    [14, "unable to open database file", "STORE_UNAVAILABLE", "The database file cannot be opened."],
    [26, "file is not a database", "STORE_DAMAGED", "The database file is damaged."],
    [1, "no such table", "STORE_FAILED", "The database refused a statement."],
  ])("%i is told by its code, an extended one, or its text: %s", (errcode, text, code, message) => {
    for (const error of [sqliteError(errcode), sqliteError(errcode + 256 * 3), sqliteError(undefined, `Error: ${text}.`)]) {
      const told = toStoreError(error) as Error;
      expect(told).toMatchObject({ code, cause: error });
      expect(told.message).toContain(message);
    }
  });

  it("is no other error, and nothing that is thrown and is none", () => {
    for (const other of [new Error("is locked"), "database is locked", undefined, Object.assign(new Error("x"), { errcode: 5 })]) {
      expect(toStoreError(other)).toBe(other);
      expect(toOpenError("a.db", other)).toBe(other);
      expect(isBusy(other)).toBe(false);
    }
  });

  it("is a wait for another writer where the database is locked", () => {
    expect([5, 6, 261, 7, 1].map((errcode) => isBusy(sqliteError(errcode)))).toEqual([true, true, true, false, false]);
    const cause = sqliteError(5);
    expect(busyError(50, cause)).toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: "Another process has been writing to the database for 50 ms. Try again.",
      cause,
    });
  });

  it("names the file and the cause to who opens it", () => {
    expect(toOpenError("/nowhere/a.db", sqliteError(14, "unable to open database file"))).toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringMatching(
        /^The database file "\/nowhere\/a\.db" cannot be opened \(unable to open database file\)\. The database file cannot be opened\. Try again/,
      ),
    });
    const inside = join(temporaryFolder(), "a.db");
    expect(toOpenError(inside, sqliteError(14))).toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(toOpenError(inside, sqliteError(26))).toMatchObject({ code: "STORE_DAMAGED" });
  });
});
