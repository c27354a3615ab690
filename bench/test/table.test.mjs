import { describe, expect, it } from "vitest";
import { duration, formatTable, isOver, toTable } from "../lib/table.mjs";

describe("the table", () => {
  const table = toTable("Calls", [
    { name: "unit", ns: 950, ratio: 1 },
    { name: "ours", ns: 1_234, ratio: 1.3, target: 1.5, verdict: "ok" },
    { name: "peer", notRun: "peer is not installed" },
  ]);

  it("aligns its columns and says why something was not run", () => {
    expect(formatTable(table).split("\n")).toEqual([
      "Calls",
      "what  CPU time  ratio   target  verdict",
      "─".repeat(53),
      "unit    950 ns  1.00×",
      "ours   1.23 µs  1.30×  ≤ 1.50×  ok",
      "peer   not run                  peer is not installed",
    ]);
  });

  it("is over when one of its rows is", () => {
    expect(isOver(table)).toBe(false);
    expect(isOver(toTable("", [{ name: "ours", ns: 1, ratio: 3, target: 2, verdict: "over" }]))).toBe(true);
  });

  it("writes times in the unit that fits", () => {
    expect([12.3, 950, 1_234, 45_600_000, 2_345_678_900].map(duration)).toEqual(["12.3 ns", "950 ns", "1.23 µs", "45.6 ms", "2346 ms"]);
  });
});
