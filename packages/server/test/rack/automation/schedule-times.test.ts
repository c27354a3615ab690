import { describe, expect, it } from "vitest";
import { dueNow, jitterOf } from "../../../src/rack/automation/schedules/due.ts";
import { readSpec } from "../../../src/rack/automation/schedules/spec.ts";
import { nextTimes, timesOf } from "../../../src/rack/automation/schedules/times.ts";

const at = (text: string): number => Date.parse(text);
const shown = (times: readonly number[]): readonly string[] => times.map((time) => new Date(time).toISOString());
const next = (spec: object, after: string, count = 5): readonly string[] => {
  const read = readSpec("report", { tool: "echo", ...spec });
  return shown(nextTimes(timesOf("report", read, at("2026-01-01T00:00:00Z")), at(after), count));
};

describe("the times of a schedule", () => {
  it("runs once at a time with an offset, and never again", () => {
    expect(next({ at: "2026-12-24T18:00:00+01:00" }, "2026-01-01T00:00:00Z")).toEqual(["2026-12-24T17:00:00.000Z"]);
    expect(next({ at: "2026-12-24T18:00:00+01:00" }, "2026-12-24T17:00:00Z")).toEqual([]);
  });

  it("runs every so often from its anchor on, whatever the time is now", () => {
    const spec = { everyMs: 900_000, from: "2026-03-01T00:05:00Z" };
    expect(next(spec, "2026-02-01T00:00:00Z", 2)).toEqual(["2026-03-01T00:05:00.000Z", "2026-03-01T00:20:00.000Z"]);
    expect(next(spec, "2026-03-01T10:00:00Z", 2)).toEqual(["2026-03-01T10:05:00.000Z", "2026-03-01T10:20:00.000Z"]);
    expect(next(spec, "2026-03-01T10:05:00Z", 1)).toEqual(["2026-03-01T10:20:00.000Z"]);
  });

  it("keeps the hour of the clock on the wall over both changes of daylight saving time", () => {
    const spec = { cron: "0 9 * * *", tz: "Europe/Berlin" };
    expect(next(spec, "2026-03-28T00:00:00Z", 2)).toEqual(["2026-03-28T08:00:00.000Z", "2026-03-29T07:00:00.000Z"]);
    expect(next(spec, "2026-10-24T00:00:00Z", 2)).toEqual(["2026-10-24T07:00:00.000Z", "2026-10-25T08:00:00.000Z"]);
  });

  it("runs at the end of the gap in spring, and once in the hour that comes twice in autumn", () => {
    const spec = { cron: "30 2 * * *", tz: "Europe/Berlin" };
    expect(next(spec, "2026-03-28T12:00:00Z", 2)).toEqual(["2026-03-29T01:00:00.000Z", "2026-03-30T00:30:00.000Z"]);
    expect(next(spec, "2026-10-24T12:00:00Z", 2)).toEqual(["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"]);
  });

  it("has a field of seconds only where that is said", () => {
    expect(next({ cron: "15 0 12 * * *", tz: "UTC", seconds: true }, "2026-01-01T00:00:00Z", 1)).toEqual(["2026-01-01T12:00:15.000Z"]);
    expect(() => next({ cron: "15 0 12 * * *", tz: "UTC" }, "2026-01-01T00:00:00Z")).toThrow(/has 6 fields, and needs 5.*seconds: true/);
  });

  it.each([
    ["a day that does not exist", { cron: "0 0 30 2 *", tz: "UTC" }, /a day that does not exist/],
    ["a zone that does not exist", { cron: "0 0 * * *", tz: "Mars/Olympus" }, /"Mars\/Olympus" is not a time zone/],
    ["cron without a zone", { cron: "0 0 * * *" }, /cron needs tz/],
    ["a minute that does not exist", { cron: "99 0 * * *", tz: "UTC" }, /Invalid value for minute: 99/],
    ["every second", { everyMs: 1_000 }, /more often than every 10 seconds/],
    ["every second, as cron", { cron: "* * * * * *", tz: "UTC", seconds: true }, /more often than every 10 seconds/],
    [
      "two seconds of a day that follow each other",
      { cron: "0,1 0 0 * * *", tz: "UTC", seconds: true },
      /more often than every 10 seconds/,
    ],
    ["two kinds at once", { everyMs: 60_000, cron: "0 0 * * *", tz: "UTC" }, /exactly one of at, everyMs and cron/],
    ["no time at all", {}, /exactly one of at, everyMs and cron/],
    ["a time on a day that does not exist", { at: "2027-02-30T10:00:00Z" }, /"2027-02-30T10:00:00Z", a day that does not exist/],
    ["a first time on a day that does not exist", { everyMs: 60_000, from: "2027-04-31T10:00:00+02:00" }, /a day that does not exist/],
    ["a time without an offset", { at: "2026-12-24T18:00:00" }, /Write a time with its offset/],
    ["an unknown member", { everyMs: 60_000, command: "rm" }, /command/],
  ])("refuses %s", (_, spec, sentence) => {
    expect(() => next(spec, "2026-01-01T00:00:00Z")).toThrow(sentence);
  });
});

describe("times that passed", () => {
  const spec = (more: object) => readSpec("report", { tool: "echo", everyMs: 60_000, from: "2026-01-01T00:00:00Z", ...more });
  const due = (more: object, nextAt: string, now: string) => {
    const read = spec(more);
    const { run, missed, next: following } = dueNow(read, timesOf("report", read, 0), at(nextAt), at(now));
    return { run: shown(run), missed: missed.length, next: shown([following!])[0] };
  };

  it("runs a time that is noticed a moment later, by every rule", () => {
    for (const missed of ["skip", "once", "all"])
      expect(due({ missed }, "2026-01-01T01:00:00Z", "2026-01-01T01:00:00.200Z")).toEqual({
        run: ["2026-01-01T01:00:00.000Z"],
        missed: 0,
        next: "2026-01-01T01:01:00.000Z",
      });
  });

  it("does nothing before its time", () => {
    expect(due({}, "2026-01-01T01:00:00Z", "2026-01-01T00:59:59Z")).toEqual({ run: [], missed: 0, next: "2026-01-01T01:00:00.000Z" });
  });

  it("runs the latest one by default, and leaves the others out", () => {
    expect(due({}, "2026-01-01T01:00:00Z", "2026-01-01T01:10:30Z")).toEqual({
      run: ["2026-01-01T01:10:00.000Z"],
      missed: 10,
      next: "2026-01-01T01:11:00.000Z",
    });
  });

  it("runs nothing when the latest one is beyond its grace", () => {
    const daily = { everyMs: 86_400_000, graceMs: 600_000 };
    expect(due(daily, "2026-01-02T00:00:00Z", "2026-01-02T00:30:00Z")).toEqual({ run: [], missed: 1, next: "2026-01-03T00:00:00.000Z" });
    expect(due({ ...daily, missed: "skip" }, "2026-01-02T00:00:00Z", "2026-01-02T00:02:00Z").run).toEqual([]);
  });

  it("runs every one with all, at most the latest hundred", () => {
    expect(due({ missed: "all" }, "2026-01-01T01:00:00Z", "2026-01-01T01:03:10Z").run).toHaveLength(4);
    const { run, next: following } = due({ missed: "all" }, "2026-01-01T01:00:00Z", "2027-01-01T00:00:30Z");
    expect(run).toHaveLength(100);
    expect(run.at(-1)).toBe("2027-01-01T00:00:00.000Z");
    expect(following).toBe("2027-01-01T00:01:00.000Z");
  });

  it("begins later by a part of a second that is the same on every server", () => {
    const delays = new Set(Array.from({ length: 50 }, (_, day) => jitterOf("report", day, 30_000)));
    expect(delays.size).toBeGreaterThan(30);
    expect(Math.max(...delays)).toBeLessThanOrEqual(30_000);
    expect(jitterOf("report", 7, 30_000)).toBe(jitterOf("report", 7, 30_000));
    expect(jitterOf("report", 7, 0)).toBe(0);
  });
});
