import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createThrottle } from "../../../src/upstream/connection/throttle.ts";

function start(options = { shortestMs: 100, longestMs: 800 }) {
  vi.useFakeTimers();
  let count = 0;
  const pace = createThrottle(() => void (count += 1), options);
  onTestFinished(() => {
    pace.end();
    vi.useRealTimers();
  });
  return { pace, count: () => count };
}

describe("SD8: a server that announces changes of its list", () => {
  it("is asked for it at once, and after a rest for what it announced meanwhile", () => {
    const { pace, count } = start();
    pace.ask();
    expect(count()).toBe(1);
    pace.ask();
    pace.ask();
    expect(count()).toBe(1);
    vi.advanceTimersByTime(100);
    expect(count()).toBe(2);
    vi.advanceTimersByTime(10_000);
    expect(count()).toBe(2);
    pace.ask();
    expect(count()).toBe(3);
  });

  it("is asked ever more rarely while it does not stop", () => {
    const { pace, count } = start();
    for (let ms = 0; ms < 10_000; ms++) {
      pace.ask();
      vi.advanceTimersByTime(1);
    }
    expect(count()).toBeLessThan(20);
    expect(count()).toBeGreaterThan(10);
  });

  it("is asked no more when it is let go", () => {
    const { pace, count } = start();
    pace.ask();
    pace.ask();
    pace.end();
    vi.advanceTimersByTime(10_000);
    expect(count()).toBe(1);
  });

  it("rests half a second at first, and half a minute at most, unless told otherwise", () => {
    vi.useFakeTimers();
    let count = 0;
    const pace = createThrottle(() => void (count += 1));
    onTestFinished(() => {
      pace.end();
      vi.useRealTimers();
    });
    pace.ask();
    for (const [place, rest] of [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
      pace.ask();
      vi.advanceTimersByTime(rest - 1);
      expect(count).toBe(place + 1);
      vi.advanceTimersByTime(1);
      expect(count).toBe(place + 2);
    }
    // Nothing was announced during the last rest: the next one is short again.
    vi.advanceTimersByTime(30_000);
    pace.ask();
    pace.ask();
    vi.advanceTimersByTime(500);
    expect(count).toBe(11);
    pace.end();
    pace.ask();
    expect(count).toBe(12);
  });
});
