import { expect, it } from "vitest";
import { showDuration } from "../../src/util/duration.ts";

it.each([
  [0, "0.0 ms"],
  [0.42, "0.4 ms"],
  [9.96, "10 ms"],
  [42, "42 ms"],
  [999.6, "1.00 s"],
  [1_234, "1.23 s"],
  [9_999, "10.0 s"],
  [59_960, "1 min"],
  [445_947.6, "7 min 26 s"],
  [3_599_600, "1 h"],
  [7_500_000, "2 h 5 min"],
  [90_000_000, "1 d 1 h"],
])("%d ms is read as %s", (ms, text) => expect(showDuration(ms)).toBe(text));
