import { expect } from "vitest";
import { StoreError, type StoreErrorCode } from "../src/errors.ts";

/** Waits for a failure that a caller may be shown: 503, how long to wait, and nothing of the database in it. */
export async function expectOutage(work: Promise<unknown>, code: StoreErrorCode): Promise<StoreError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!StoreError.is(error)) throw new Error(`This is no error of the store: ${String(error)}`, { cause: error });
  expect(error).toMatchObject({ code, status: 503 });
  expect(error.retryAfterMs).toBeGreaterThan(0);
  expect(error.message).not.toMatch(/127\.0\.0\.1|localhost|postgres|:\d{4}|\/tmp|\/home|select |insert |breadcrumb|"|rollback/i);
  return error;
}
