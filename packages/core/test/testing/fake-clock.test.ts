import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../src/testing/fake-clock.ts";

describe("createFakeClock", () => {
  it("runs what falls due in order, at its own time, and nothing else", async () => {
    const clock = createFakeClock(1_000);
    const ran: [string, number][] = [];
    clock.after(20, () => ran.push(["b", clock.now()]));
    clock.after(10, () => ran.push(["a", clock.now()]));
    clock.after(31, () => ran.push(["never", clock.now()]));
    const cancel = clock.after(15, () => ran.push(["cancelled", clock.now()]));
    cancel();
    cancel();
    await clock.advance(30);
    expect(ran).toEqual([
      ["a", 1_010],
      ["b", 1_020],
    ]);
    expect(clock.now()).toBe(1_030);
    expect(clock.pending).toBe(1);
  });

  it("runs timers that are set by promises which a timer settles", async () => {
    const clock = createFakeClock();
    const wait = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));
    const times: number[] = [];
    void (async () => {
      for (const ms of [10, 10, 5]) {
        await wait(ms);
        times.push(clock.now());
      }
    })();
    await clock.advance(25);
    expect(times).toEqual([10, 20, 25]);
  });
});
