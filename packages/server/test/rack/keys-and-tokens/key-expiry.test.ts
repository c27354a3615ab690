import { createFakeClock } from "@toolrack/core/testing";
import type { Breadcrumb } from "@toolrack/store";
import { expect, it } from "vitest";
import { watchExpiry } from "../../../src/rack/keys-and-tokens/key-expiry.ts";
import type { RecordListener } from "../../../src/rack/store/records.ts";

const keyOf = (id: string, expiresAt?: number, hash?: string): Breadcrumb =>
  ({ id, context: { ...(hash !== undefined && { hash }), ...(expiresAt !== undefined && { expiresAt }) } }) as unknown as Breadcrumb;

/** A feed of keys, and those that were reported as expired. */
function watchKeys(clock: ReturnType<typeof createFakeClock>, ...first: readonly Breadcrumb[]) {
  const known = new Map(first.map((key) => [key.id, key]));
  let listener: RecordListener | undefined;
  const expired: string[] = [];
  const keys = { values: () => known.values(), subscribe: (given: RecordListener) => ((listener = given), () => (listener = undefined)) };
  const stop = watchExpiry(keys, clock, ({ id }) => void expired.push(id));
  const put = (key: Breadcrumb): void => {
    known.set(key.id, key);
    listener?.(key.id, key);
  };
  return { expired, stop, put };
}

it("each key is reported once, when it expires, in whatever order they were made", async () => {
  const clock = createFakeClock(1_000);
  const { expired, put } = watchKeys(clock, keyOf("late", 4_000, "h"), keyOf("past", 1_000, "h"), keyOf("endless", undefined, "h"));
  put(keyOf("soon", 2_000, "h"));
  await clock.advance(999);
  expect(expired).toEqual([]);
  await clock.advance(1);
  expect(expired).toEqual(["soon"]);
  put(keyOf("next", 3_000, "h"));
  await clock.advance(1_000);
  expect(expired).toEqual(["soon", "next"]);
  await clock.advance(100_000);
  expect(expired).toEqual(["soon", "next", "late"]);
});

it("a key that was revoked before does not expire, and none is reported after the end of watching", async () => {
  const clock = createFakeClock(1_000);
  const { expired, put, stop } = watchKeys(clock, keyOf("revoked", 2_000, "h"), keyOf("open", 3_000, "h"));
  put(keyOf("revoked", 2_000));
  await clock.advance(1_000);
  expect(expired).toEqual([]);
  stop();
  await clock.advance(5_000);
  expect(expired).toEqual([]);
});

it("an expiry that is farther away than a timer can wait is waited for all the same", async () => {
  const clock = createFakeClock(1_000);
  const year = 365 * 86_400_000;
  const { expired } = watchKeys(clock, keyOf("far", 1_000 + year, "h"));
  await clock.advance(year - 1);
  expect(expired).toEqual([]);
  await clock.advance(1);
  expect(expired).toEqual(["far"]);
});
