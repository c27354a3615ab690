import pg from "pg";
import { describe, expect, it } from "vitest";
import { isConnectionLost, isRefused, overdue, toConnectError, toStoreError } from "../../../src/engines/postgres/errors.ts";
import { readSchema } from "../../../src/engines/postgres/schema.ts";
import { keepsSessionLimits } from "../../../src/engines/postgres/session-limits.ts";
import { StoreError } from "../../../src/errors.ts";

/** What the driver throws for an answer of the server. */
function answered(code: string | undefined): pg.DatabaseError {
  const error = new pg.DatabaseError('relation "secret_table" says no', 1, "error");
  error.code = code;
  return error;
}

const away = "The database does not answer.";
const noConnection = "No connection to the database can be opened.";
const missing = "The tables of the store are not there.";

describe("an error of PostgreSQL", () => {
  it.each<[state: string, code: string, message: string, whileConnecting?: string]>([
    ["53100", "STORE_FULL", "The disk of the database is full."],
    ["53300", "STORE_UNAVAILABLE", "The database has no free connection."],
    ["53200", "STORE_UNAVAILABLE", "The database is short of memory"],
    ["25006", "STORE_READ_ONLY", "The database accepts no writes"],
    ["57014", "STORE_UNAVAILABLE", "The database did not finish a statement in time."],
    ["55P03", "STORE_UNAVAILABLE", "Another server kept the database locked"],
    ["40001", "STORE_UNAVAILABLE", "The database gave another transaction precedence."],
    ["40P01", "STORE_UNAVAILABLE", "The database gave another transaction precedence."],
    ["28P01", "STORE_UNAVAILABLE", "The database refuses the server's sign-in."],
    ["3D000", "STORE_UNAVAILABLE", "The database does not exist any more."],
    ["42501", "STORE_UNAVAILABLE", "The database does not let the server's user do this."],
    ["42P01", "STORE_UNAVAILABLE", missing],
    ["3F000", "STORE_UNAVAILABLE", missing],
    ["XX001", "STORE_DAMAGED", "The database reports damaged data."],
    ["XX002", "STORE_DAMAGED", "The database reports a damaged index."],
    ["58030", "STORE_UNAVAILABLE", "The database cannot read or write its files."],
    ["57P01", "STORE_UNAVAILABLE", away, noConnection],
    ["25P03", "STORE_UNAVAILABLE", away, noConnection],
    ["08006", "STORE_UNAVAILABLE", away, noConnection],
    ["23505", "STORE_FAILED", "The database refused a statement.", noConnection],
    ["42601", "STORE_FAILED", "The database refused a statement.", noConnection],
  ])("%s is told without anything of the database", (state, code, message, whileConnecting) => {
    const cause = answered(state);
    const error = toStoreError(cause);
    expect(error).toMatchObject({ code, cause });
    expect(error.message.startsWith(message)).toBe(true);
    expect(error.message).not.toContain("secret_table");
    const opening = toConnectError(cause);
    expect(opening).toMatchObject({ code: whileConnecting === undefined ? code : "STORE_UNAVAILABLE", cause });
    expect(opening.message.startsWith(whileConnecting ?? message)).toBe(true);
  });

  it("without a state is a refused statement, and one of the network a database that does not answer", () => {
    expect(toStoreError(answered(undefined)).code).toBe("STORE_FAILED");
    const broken = new Error("read ECONNRESET");
    expect(toStoreError(broken)).toMatchObject({ code: "STORE_UNAVAILABLE", cause: broken });
    expect(toStoreError(broken).message.startsWith(away)).toBe(true);
    expect(toConnectError(broken).message.startsWith(noConnection)).toBe(true);
  });

  it("that was told already stays as it is", () => {
    const told = overdue();
    expect(told).toMatchObject({ code: "STORE_UNAVAILABLE", message: expect.stringMatching(/^The database did not answer in time\./) });
    expect(toStoreError(told)).toBe(told);
    expect(toConnectError(told)).toBe(told);
  });

  it("ends the use of a connection where the server is going, and where it is none of the server", () => {
    const states = ["08006", "57P01", "25P03", "57014", "25006", "23505", "40P01", undefined];
    expect(states.map((state) => isConnectionLost(answered(state)))).toEqual([true, true, true, false, false, false, false, false]);
    expect(isConnectionLost(new Error("read ECONNRESET"))).toBe(true);
    expect(isConnectionLost(undefined)).toBe(true);
  });

  it("means that nothing was written where the server refused a statement for what it says, and only there", () => {
    expect(isRefused(toStoreError(answered("22012")))).toBe(true);
    expect(isRefused(toStoreError(answered("53100")))).toBe(false);
    expect(isRefused(toStoreError(new Error("broken")))).toBe(false);
    expect(isRefused(new StoreError("STORE_FAILED", "of another engine"))).toBe(false);
    expect(isRefused(answered("22012"))).toBe(false);
  });
});

describe("the name of a database schema", () => {
  it("needs no quoting, and is short enough for the channel that is named after it", () => {
    for (const name of ["a", "_", "toolrack", "a_9", `a${"b".repeat(48)}`]) expect(readSchema(name)).toBe(name);
    for (const name of ["", "9a", "A", "a-b", 'a"', "a b", `a${"b".repeat(49)}`])
      expect(() => readSchema(name)).toThrow(`The database schema "${name}" must be 1 to 49 of a-z 0-9 _.`);
    expect(() => readSchema("X".repeat(100))).toThrow(`"${"X".repeat(80)}" must`);
  });
});

describe("the limits of a connection", () => {
  it("are not known where no connection can be opened", async () => {
    const limits = { statement_timeout: 500, lock_timeout: 500, idle_in_transaction_session_timeout: 500 };
    const nowhere = { connectionString: "postgres://postgres@127.0.0.1:9/postgres" };
    await expect(keepsSessionLimits(nowhere, limits)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});
