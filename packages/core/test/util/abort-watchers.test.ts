import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { settle } from "../../src/testing/fake-clock.ts";
import { type AbortWatcher, watchersOf } from "../../src/util/abort-watchers.ts";

function watcherOf(action: () => void): AbortWatcher {
  return { before: undefined, after: undefined, waitsFor: undefined, abort: action };
}

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

describe("watchersOf", () => {
  it("tells all who wait for a signal, each once, behind one listener", () => {
    const controller = new AbortController();
    const told: number[] = [];
    for (let index = 0; index < 50; index++) watchersOf(controller.signal).add(watcherOf(() => void told.push(index)));
    expect(listenersOf(controller.signal)).toBe(1);
    controller.abort();
    expect(told).toEqual(Array.from({ length: 50 }, (_, index) => index));
    expect(listenersOf(controller.signal)).toBe(0);
  });

  it("tells nobody whose wait another one's end was the end of", () => {
    const controller = new AbortController();
    const watchers = watchersOf(controller.signal);
    const told: string[] = [];
    const last = watcherOf(() => void told.push("last"));
    watchers.add(watcherOf(() => watchers.remove(last)));
    watchers.add(watcherOf(() => void told.push("middle")));
    watchers.add(last);
    controller.abort();
    expect(told).toEqual(["middle"]);
  });

  it("tells nobody who left, and leaves the signal in the turn after the last one did", async () => {
    const controller = new AbortController();
    const watchers = watchersOf(controller.signal);
    const [gone, stays] = [watcherOf(() => expect.unreachable()), watcherOf(() => void told++)];
    let told = 0;
    watchers.add(gone);
    watchers.add(stays);
    watchers.remove(gone);
    await settle();
    expect(listenersOf(controller.signal)).toBe(1);
    watchers.remove(stays);
    await settle();
    expect(listenersOf(controller.signal)).toBe(0);
    controller.abort();
    expect(told).toBe(0);
  });

  it("keeps the listener for one who comes in the same turn", async () => {
    const controller = new AbortController();
    const watchers = watchersOf(controller.signal);
    let told = 0;
    const watcher = watcherOf(() => void told++);
    watchers.add(watcher);
    watchers.remove(watcher);
    watchers.add(watcher);
    await settle();
    controller.abort();
    expect(told).toBe(1);
  });

  it("takes one who leaves while the others are told, and one who leaves twice", async () => {
    const controller = new AbortController();
    const watchers = watchersOf(controller.signal);
    const told: string[] = [];
    const second = watcherOf(() => void told.push("second"));
    watchers.add(
      watcherOf(() => {
        told.push("first");
        watchers.remove(second);
      }),
    );
    watchers.add(second);
    controller.abort();
    watchers.remove(second);
    await settle();
    expect(told).toContain("first");
    expect(listenersOf(controller.signal)).toBe(0);
  });

  it("tells exactly those who are there, whatever came and went before", async () => {
    const step = fc.record({ kind: fc.constantFrom("add" as const, "remove" as const, "turn" as const), which: fc.nat(4) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const controller = new AbortController();
        const watchers = watchersOf(controller.signal);
        const told: number[] = [];
        const all = [0, 1, 2, 3, 4].map((index) => watcherOf(() => void told.push(index)));
        const waiting = new Set<number>();
        for (const { kind, which } of steps) {
          if (kind === "turn") await settle();
          else {
            watchers[kind](all[which]!);
            waiting[kind === "add" ? "add" : "delete"](which);
          }
          expect(listenersOf(controller.signal)).toBeLessThanOrEqual(1);
        }
        controller.abort();
        expect(told.sort()).toEqual([...waiting].sort());
        await settle();
        expect(listenersOf(controller.signal)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});
