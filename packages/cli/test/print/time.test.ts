import { expect, it } from "vitest";
import { createStyle, paintState } from "../../src/print/style.ts";
import { showAge, showDuration, showTime } from "../../src/print/time.ts";

it("a time is shown to the second, in UTC", () => {
  expect(showTime(1_794_722_400_123)).toBe("2026-11-15 06:00:00");
  expect(showTime("2026-11-15T06:00:01.999Z")).toBe("2026-11-15 06:00:01");
});

it.each([
  [0, "0.0 ms"],
  [0.42, "0.4 ms"],
  [9.94, "9.9 ms"],
  [10, "10 ms"],
  [999.4, "999 ms"],
  [1_000, "1.00 s"],
  [1_234, "1.23 s"],
])("a duration of %d ms is shown as %s", (ms, shown) => {
  expect(showDuration(ms)).toBe(shown);
});

it.each([
  [-5_000, "0s"],
  [5_999, "5s"],
  [59_999, "59s"],
  [60_000, "1m"],
  [3_599_999, "59m"],
  [7_500_000, "2h"],
  [86_399_999, "23h"],
  [172_800_000, "2d"],
])("an age of %d ms is shown as %s", (ms, shown) => {
  expect(showAge(ms)).toBe(shown);
});

it("a state has the colour of its meaning", () => {
  const style = createStyle(true);
  for (const state of ["ready", "allowed", "allow", "ok", "approved", "healthy", "yes"])
    expect(paintState(style, state)).toBe(style.good(state));
  for (const state of [
    "failed",
    "denied",
    "deny",
    "error",
    "unavailable",
    "archived",
    "no",
    "aborted",
    "wrong",
    "full",
    "read-only",
    "missing",
  ])
    expect(paintState(style, state)).toBe(style.bad(state));
  for (const state of ["draft", "asks", "nobody", "not ready"]) expect(paintState(style, state)).toBe(style.warn(state));
});
