import { outageMark } from "@toolrack/core/internal";
import { describe, expect, it } from "vitest";
import { StoreError, type StoreErrorCode, storeErrorCodes } from "../src/errors.ts";

const expected: Record<StoreErrorCode, [status: number, retryable: boolean, retryAfterMs: number | undefined]> = {
  RECORD_INVALID: [400, false, undefined],
  RECORD_TOO_LARGE: [413, false, undefined],
  VIEW_FAILED: [422, false, undefined],
  QUERY_INVALID: [400, false, undefined],
  FORBIDDEN: [403, false, undefined],
  STATE_INVALID: [409, false, undefined],
  SECRET_UNREADABLE: [500, false, undefined],
  KEY_INVALID: [400, false, undefined],
  BACKUP_INVALID: [400, false, undefined],
  STORE_NOT_EMPTY: [409, false, undefined],
  CHANGES_GONE: [410, false, undefined],
  LEASE_LOST: [503, false, undefined],
  SESSION_EXISTS: [409, false, undefined],
  SESSION_UNKNOWN: [404, false, undefined],
  SESSION_CHANGED: [409, false, undefined],
  SESSION_ENDED: [409, false, undefined],
  SESSION_FULL: [429, false, undefined],
  STORE_UNAVAILABLE: [503, true, 1_000],
  STORE_FULL: [503, true, 10_000],
  STORE_READ_ONLY: [503, true, 10_000],
  STORE_FAILED: [503, false, 30_000],
  STORE_DAMAGED: [503, false, 60_000],
  STORE_INCOMPATIBLE: [503, false, 60_000],
  AUDIT_LOCKED: [503, false, undefined],
  STORE_CLOSED: [503, false, 1_000],
};

describe("an error of the store", () => {
  it.each(Object.entries(expected))(
    "%s has its status, and says whether and when to try again",
    (code, [status, retryable, retryAfterMs]) => {
      const cause = new Error("what the database said");
      const error = new StoreError(code as StoreErrorCode, "It failed.", { cause });
      expect([error.name, error.code, error.message, error.status, error.retryable, error.retryAfterMs, error.cause]).toEqual([
        "StoreError",
        code,
        "It failed.",
        status,
        retryable,
        retryAfterMs,
        cause,
      ]);
      expect("retryAfterMs" in error).toBe(retryAfterMs !== undefined);
      expect(outageMark in error).toBe(status === 503);
      expect(Object.keys(error)).not.toContain(String(outageMark));
    },
  );

  it("has a sentence for each code", () => {
    expect(Object.keys(storeErrorCodes)).toEqual(Object.keys(expected));
    for (const { sentence } of Object.values(storeErrorCodes)) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });

  it("is known across copies of the package, and nothing else is one", () => {
    expect(StoreError.is(new StoreError("FORBIDDEN", "No."))).toBe(true);
    expect(StoreError.is({ [Symbol.for("toolrack.store-error")]: true })).toBe(true);
    for (const other of [new Error("x"), null, undefined, "StoreError", { code: "FORBIDDEN" }]) expect(StoreError.is(other)).toBe(false);
  });
});
