import { describe, expect, it, vi } from "vitest";
import { createConcurrencyLimit } from "../../../src/http/limits/concurrency.ts";
import { createHeavyWork } from "../../../src/http/limits/heavy-work.ts";
import { createRates } from "../../../src/http/limits/rates.ts";
import { createRefusalLog } from "../../../src/http/limits/refusal-log.ts";
import { remindAfter } from "../../../src/http/limits/reminders.ts";
import { createStreams } from "../../../src/http/limits/streams.ts";
import type { Problem } from "../../../src/http/reply/problem.ts";

function refusalOf(act: () => unknown): Problem {
  try {
    act();
  } catch (error) {
    return error as Problem;
  }
  throw new Error("It was not refused.");
}

describe("the rate of a caller", () => {
  it("allows twice as many at once as in a second, then as many as the time that passed, and says how long to wait", () => {
    let time = 0;
    const rates = createRates(2, () => time);
    const taken = (): number => {
      for (let count = 0; ; count++) {
        try {
          rates.take("ada");
        } catch {
          return count;
        }
      }
    };
    expect(taken()).toBe(4);
    expect(refusalOf(() => rates.take("ada"))).toMatchObject({ status: 429, code: "TOO_MANY_REQUESTS", options: { retryAfterMs: 500 } });
    time = 250;
    expect(refusalOf(() => rates.take("ada"))).toMatchObject({
      message: "More than 2 requests a second. Wait 250 ms and try again.",
      options: { retryAfterMs: 250 },
    });
    time = 1_500;
    expect(taken()).toBe(3);
    time = 1_000_000;
    expect(taken()).toBe(4);
    expect(() => rates.take("bob")).not.toThrow();
  });

  it("allows one request even where less than one in a second is allowed", () => {
    let time = 0;
    const rates = createRates(0.1, () => time);
    rates.take("ada");
    expect(refusalOf(() => rates.take("ada")).options.retryAfterMs).toBe(10_000);
    time = 10_000;
    expect(() => rates.take("ada")).not.toThrow();
  });

  it("is forgotten for the oldest callers when there are too many, and for no others", () => {
    const rates = createRates(0.5, () => 0);
    for (let caller = 0; caller < 10_000; caller++) rates.take(String(caller));
    expect(() => rates.take("9999")).toThrow("requests a second");
    rates.take("new");
    for (const known of ["1000", "9999", "new"]) expect(() => rates.take(known), known).toThrow("requests a second");
    for (const forgotten of ["0", "999"]) expect(() => rates.take(forgotten), forgotten).not.toThrow();
  });
});

describe("what runs at the same time", () => {
  it("is limited for each caller and in total, and what has ended makes room once", () => {
    const limit = createConcurrencyLimit({ perCaller: 2, total: 3, code: "TOO_MANY_STREAMS", what: "streams open" });
    const [first] = [limit.enter("ada"), limit.enter("ada")];
    expect(refusalOf(() => limit.enter("ada"))).toMatchObject({
      status: 429,
      code: "TOO_MANY_STREAMS",
      message: "You have 2 streams open, and more are not allowed. Wait until one has ended, and try again.",
      options: { retryAfterMs: 1_000 },
    });
    limit.enter("bob");
    expect(refusalOf(() => limit.enter("cid"))).toMatchObject({
      message: "The server has as many streams open as it allows. Try again later.",
    });
    expect(limit.taken).toBe(3);
    first!();
    first!();
    expect(limit.taken).toBe(2);
    limit.enter("ada");
    expect(() => limit.enter("ada")).toThrow("You have 2");
  });

  it("is counted for streams as for anything else", () => {
    const streams = createStreams({ streams: 2, streamsPerCaller: 1 });
    const leave = streams.enter("ada");
    expect(streams.open).toBe(1);
    expect(refusalOf(() => streams.enter("ada"))).toMatchObject({ code: "TOO_MANY_STREAMS" });
    streams.enter("bob");
    expect(() => streams.enter("cid")).toThrow("as many streams");
    leave();
    expect(streams.open).toBe(1);
  });

  it("is left by heavy work that is done, and by work that failed", async () => {
    const heavy = createHeavyWork({ heavyPerCaller: 1, heavy: 2 });
    let release: (() => void) | undefined;
    const running = heavy.hold("ada", async (turn) => {
      await turn();
      await new Promise<void>((resolve) => (release = resolve));
      return "held";
    });
    await expect(heavy.run("ada", () => 1)).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
    expect(await heavy.run("bob", () => 2)).toBe(2);
    await expect(
      heavy.run("bob", () => {
        throw new Error("broken");
      }),
    ).rejects.toThrow("broken");
    expect(await heavy.run("bob", async () => 3)).toBe(3);
    await expect.poll(() => release).toBeDefined();
    release!();
    expect(await running).toBe("held");
    expect(await heavy.run("ada", () => 4)).toBe(4);
  });
});

describe("the log of refused tokens", () => {
  it("has each reason once a minute, with how often it came in between", () => {
    let time = 0;
    const lines: unknown[] = [];
    const note = createRefusalLog({ warn: (message, facts) => void lines.push([message, facts]) }, () => time);
    note("expired");
    note("expired");
    note("unsigned");
    time = 59_999;
    note("expired");
    time = 60_000;
    note("expired");
    time = 130_000;
    note("expired");
    expect(lines).toEqual([
      ["A token was refused.", { reason: "expired" }],
      ["A token was refused.", { reason: "unsigned" }],
      ["A token was refused.", { reason: "expired", sinceLastLine: 2 }],
      ["A token was refused.", { reason: "expired" }],
    ]);
  });

  it("looks at the time by itself", () => {
    const lines: string[] = [];
    const note = createRefusalLog({ warn: (message) => void lines.push(message) });
    for (let time = 0; time < 3; time++) note("expired");
    expect(lines).toHaveLength(1);
  });
});

describe("a reminder", () => {
  it("comes when its time is over, once, and not if it was cancelled or is not due yet", async () => {
    const come: string[] = [];
    const cancel = remindAfter(0, () => come.push("cancelled"));
    cancel();
    const later = remindAfter(600_000, () => come.push("later"));
    remindAfter(0, () => come.push("first"));
    await expect.poll(() => come.length).toBeGreaterThan(0);
    remindAfter(0, () => come.push("second"));
    await expect.poll(() => come.length).toBeGreaterThan(1);
    later();
    expect(come).toEqual(["first", "second"]);
  });

  it("needs a timer only while somebody waits, and all that are due come at one look", async () => {
    vi.resetModules();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    try {
      const { remindAfter: remind } = await import("../../../src/http/limits/reminders.ts");
      const come: string[] = [];
      const cancel = remind(1_000, () => come.push("cancelled"));
      remind(300, () => come.push("first"));
      remind(500, () => come.push("second"));
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersByTime(250);
      expect(come).toEqual([]);
      vi.advanceTimersByTime(250);
      expect([come, vi.getTimerCount()]).toEqual([["first", "second"], 1]);
      cancel();
      vi.advanceTimersByTime(250);
      expect(vi.getTimerCount()).toBe(0);
      remind(1, () => come.push("third"));
      vi.advanceTimersByTime(250);
      expect([come, vi.getTimerCount()]).toEqual([["first", "second", "third"], 0]);
    } finally {
      vi.useRealTimers();
    }
  });
});
