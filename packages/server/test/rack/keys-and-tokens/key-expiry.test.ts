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
  const errors: unknown[] = [];
  const log = { debug() {}, info() {}, warn() {}, error: (...line: unknown[]) => void errors.push(line) };
  const stop = watchExpiry(keys, { clock, log }, ({ id }) => {
    if (id === "odd") throw new Error("Not heard.");
    expired.push(id);
  });
  const put = (key: Breadcrumb): void => {
    known.set(key.id, key);
    listener?.(key.id, key);
  };
  return { expired, errors, stop, put };
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
  const days = 25 * 86_400_000;
  const delays: number[] = [];
  const noting = { ...clock, after: (delayMs: number, action: () => void) => (delays.push(delayMs), clock.after(delayMs, action)) };
  const { expired } = watchKeys(noting, keyOf("far", 1_000 + days, "h"));
  await clock.advance(days - 1);
  expect(expired).toEqual([]);
  await clock.advance(1);
  expect(expired).toEqual(["far"]);
  expect(Math.max(...delays)).toBeLessThanOrEqual(60_000);
});

it("keys that are waited for keep no process alive, whichever of them is the next", async () => {
  const clock = createFakeClock(1_000);
  const kept = new Set<number>();
  let timers = 0;
  const noting: typeof clock = {
    ...clock,
    after(delayMs, action) {
      const timer = timers++;
      kept.add(timer);
      return Object.assign(clock.after(delayMs, action), { release: () => void kept.delete(timer) });
    },
  };
  const { expired, put } = watchKeys(noting, keyOf("late", 4_000, "h"));
  put(keyOf("soon", 2_000, "h"));
  await clock.advance(1_000);
  expect(expired).toEqual(["soon"]);
  expect(timers).toBeGreaterThan(2);
  expect(kept).toEqual(new Set());
});

/** A clock that somebody sets, of which its timers do not learn. */
function setClock() {
  const clock = createFakeClock(1_000_000);
  let ahead = 0;
  return { ...clock, now: () => clock.now() + ahead, set: (milliseconds: number) => void (ahead += milliseconds) };
}

it("a key that is made after the clock was set back expires", async () => {
  const clock = setClock();
  clock.set(86_400_000);
  const { expired, put } = watchKeys(clock, keyOf("first", clock.now() + 1_000, "h"));
  await clock.advance(1_000);
  expect(expired).toEqual(["first"]);
  clock.set(-86_400_000);
  put(keyOf("second", clock.now() + 3_600_000, "h"));
  await clock.advance(3_600_000);
  expect(expired).toEqual(["first", "second"]);
});

it("a key whose time came while the machine slept expires within a minute", async () => {
  const clock = setClock();
  const { expired } = watchKeys(clock, keyOf("slept", clock.now() + 3_600_000, "h"));
  clock.set(7_200_000);
  await clock.advance(60_000);
  expect(expired).toEqual(["slept"]);
});

it("whoever throws is told in the log, and keeps nobody from hearing of the others", async () => {
  const clock = createFakeClock(1_000);
  const { expired, errors } = watchKeys(clock, keyOf("odd", 2_000, "h"), keyOf("even", 2_000, "h"));
  await clock.advance(1_000);
  expect(expired).toEqual(["even"]);
  expect(errors).toEqual([[expect.stringContaining("did not hear"), { key: "odd", error: "Error: Not heard." }]]);
});
