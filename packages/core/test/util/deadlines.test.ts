import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { createDeadlines as createOnNode, type Deadline } from "../../src/util/on-node/deadlines.ts";
import { createDeadlines as createOnWeb } from "../../src/util/on-web/deadlines.ts";

function deadline(expire: () => void): Deadline {
  return { expiresAt: 0, before: undefined, after: undefined, lane: undefined, expire };
}

describe.each([
  ["in Node", createOnNode],
  ["in browsers and workers", createOnWeb],
])("createDeadlines, %s", (_where, createDeadlines) => {
  it("lets each deadline expire once, at its time, in the order of times", async () => {
    const clock = createFakeClock();
    const deadlines = createDeadlines(clock);
    const expired: string[] = [];
    for (const durationMs of [300, 100, 200, 100]) {
      deadlines.add(
        deadline(() => void expired.push(`${durationMs} at ${clock.now()}`)),
        durationMs,
      );
    }
    await clock.advance(99);
    expect(expired).toEqual([]);
    await clock.advance(1_000);
    expect(expired).toEqual(["100 at 100", "100 at 100", "200 at 200", "300 at 300"]);
  });

  it("has no timer once the last of a thousand deadlines is gone", () => {
    const clock = createFakeClock();
    const deadlines = createDeadlines(clock);
    const held = Array.from({ length: 1_000 }, () => deadline(() => {}));
    held.forEach((one, index) => deadlines.add(one, 100 + (index % 7)));
    expect(clock.pending).toBe(createDeadlines === createOnNode ? 1 : 1_000);
    held.forEach(deadlines.remove);
    expect(clock.pending).toBe(0);
  });

  it("waits for the next one after an earlier one was removed", async () => {
    const clock = createFakeClock();
    const deadlines = createDeadlines(clock);
    const expired: string[] = [];
    const early = deadline(() => void expired.push("early"));
    deadlines.add(early, 50);
    deadlines.add(
      deadline(() => void expired.push(`late at ${clock.now()}`)),
      200,
    );
    deadlines.remove(early);
    await clock.advance(1_000);
    expect(expired).toEqual(["late at 200"]);
    expect(clock.pending).toBe(0);
  });

  it("takes the removal of one that is not there, or no longer", async () => {
    const clock = createFakeClock();
    const deadlines = createDeadlines(clock);
    const one = deadline(() => {});
    deadlines.remove(one);
    deadlines.add(one, 10);
    await clock.advance(10);
    deadlines.remove(one);
    deadlines.add(one, 10);
    expect(clock.pending).toBe(1);
    deadlines.remove(one);
    expect(clock.pending).toBe(0);
  });

  it("leaves no timer when a deadline that expires removes the others", async () => {
    const clock = createFakeClock();
    const deadlines = createDeadlines(clock);
    const late = deadline(() => {});
    deadlines.add(late, 500);
    deadlines.add(
      deadline(() => deadlines.remove(late)),
      50,
    );
    await clock.advance(50);
    expect(clock.pending).toBe(0);
  });

  it("takes a new deadline from one that expires", async () => {
    const clock = createFakeClock();
    const deadlines = createDeadlines(clock);
    const expired: number[] = [];
    const again = (left: number): Deadline =>
      deadline(() => {
        expired.push(clock.now());
        if (left > 0) deadlines.add(again(left - 1), 10);
      });
    deadlines.add(again(3), 10);
    await clock.advance(100);
    expect(expired).toEqual([10, 20, 30, 40]);
    expect(clock.pending).toBe(0);
  });

  it("waits as long as it takes for a deadline beyond what a timer can hold", async () => {
    const clock = createFakeClock();
    const deadlines = createDeadlines(clock);
    const sixtyDays = 60 * 24 * 3_600_000;
    let expiredAt: number | undefined;
    deadlines.add(
      deadline(() => (expiredAt = clock.now())),
      sixtyDays,
    );
    await clock.advance(sixtyDays - 1);
    expect(expiredAt).toBeUndefined();
    await clock.advance(1);
    expect(expiredAt).toBe(sixtyDays);
  });

  it("needs no timer for a deadline that never comes", () => {
    const clock = createFakeClock();
    const deadlines = createDeadlines(clock);
    const never = deadline(() => {});
    deadlines.add(never, Number.POSITIVE_INFINITY);
    expect(clock.pending).toBe(0);
    deadlines.remove(never);
  });

  it("keeps to what was added and removed, whatever the order", async () => {
    const action = fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant("add" as const), ms: fc.nat(40) }) },
      fc.record({ kind: fc.constant("remove" as const), which: fc.nat(20) }),
      fc.record({ kind: fc.constant("advance" as const), ms: fc.nat(30) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
        const clock = createFakeClock();
        const deadlines = createDeadlines(clock);
        const added: { readonly one: Deadline; readonly dueAt: number; removed: boolean; expiredAt?: number }[] = [];
        for (const next of actions) {
          if (next.kind === "add") {
            const entry: (typeof added)[number] = {
              one: deadline(() => (entry.expiredAt = clock.now())),
              dueAt: clock.now() + next.ms,
              removed: false,
            };
            added.push(entry);
            deadlines.add(entry.one, next.ms);
          } else if (next.kind === "remove") {
            const entry = added[next.which];
            if (entry === undefined) continue;
            if (entry.expiredAt === undefined) entry.removed = true;
            deadlines.remove(entry.one);
          } else await clock.advance(next.ms);
          const waiting = added.filter((entry) => !entry.removed && entry.expiredAt === undefined).length;
          expect(clock.pending).toBe(createDeadlines === createOnNode ? Math.min(waiting, 1) : waiting);
        }
        await clock.advance(100);
        for (const entry of added) expect(entry.expiredAt).toBe(entry.removed ? undefined : entry.dueAt);
        expect(clock.pending).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});
