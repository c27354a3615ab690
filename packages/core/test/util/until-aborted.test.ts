import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { createFakeClock, settle } from "../../src/testing/fake-clock.ts";
import { onAbort } from "../../src/util/abort-watchers.ts";
import { pause, untilAborted } from "../../src/util/until-aborted.ts";

const never = new Promise<never>(() => {});
const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

describe("onAbort", () => {
  it("runs the action when the signal is aborted, and at once where it already is", () => {
    const controller = new AbortController();
    const told: string[] = [];
    onAbort(controller.signal, () => void told.push("waiting"));
    controller.abort();
    onAbort(controller.signal, () => void told.push("late"));
    expect(told).toEqual(["waiting", "late"]);
  });

  it("never runs an action that was taken back, nor one without a signal", () => {
    const controller = new AbortController();
    onAbort(controller.signal, () => expect.unreachable())();
    onAbort(undefined, () => expect.unreachable())();
    controller.abort();
  });
});

describe("untilAborted", () => {
  it("gives the value or the failure of what is awaited, and leaves no listener behind", async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
    await expect(untilAborted(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
    await settle();
    expect(listenersOf(signal)).toBe(0);
  });

  it("rejects with the reason as soon as the signal is aborted, also where it was before", async () => {
    const controller = new AbortController();
    const waiting = untilAborted(never, controller.signal);
    controller.abort(new Error("no longer wanted"));
    await expect(waiting).rejects.toThrow("no longer wanted");
    await expect(untilAborted(never, controller.signal)).rejects.toThrow("no longer wanted");
  });

  it("waits without a signal, too", async () => {
    expect(await untilAborted(Promise.resolve("done"), undefined)).toBe("done");
  });
});

describe("pause", () => {
  it("is true after the time, and leaves no listener behind", async () => {
    const clock = createFakeClock();
    const { signal } = new AbortController();
    const paused = pause(clock, 100, signal);
    await clock.advance(100);
    expect(await paused).toBe(true);
    await settle();
    expect(listenersOf(signal)).toBe(0);
  });

  it("is false as soon as the signal is aborted, also where it was before", async () => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const paused = pause(clock, 100, controller.signal);
    controller.abort();
    expect(await paused).toBe(false);
    expect(await pause(clock, 100, controller.signal)).toBe(false);
  });
});
