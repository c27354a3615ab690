import { describe, expect, it } from "vitest";
import { measure, median, toRows } from "../lib/measure.mjs";

const quick = { rounds: 6, roundMs: 2, warmupMs: 10 };
/** Long enough that what else the process does at the same time hardly counts. */
const real = { rounds: 15, roundMs: 10, warmupMs: 50 };

function spin(turns) {
  let sum = 0;
  for (let turn = 0; turn < turns; turn++) sum += Math.sqrt(turn);
  return sum;
}

describe("measuring", () => {
  it("gives the work of each function as a multiple of the unit's, for functions that answer at once and later", async () => {
    let used = 0;
    const subject = (name, micros, more) => ({ name, run: () => void (used += micros), ...more });
    const subjects = [
      subject("unit", 2),
      subject("ten", 20, { target: 2 }),
      { name: "ten later", run: async () => void (used += 20), target: 1_000 },
    ];
    expect(await measure(subjects, { ...quick, unit: "unit", cpu: () => used })).toEqual([
      { name: "unit", ns: 2_000, ratio: 1 },
      { name: "ten", ns: 20_000, ratio: 10, target: 2, verdict: "over" },
      { name: "ten later", ns: 20_000, ratio: 10, target: 1_000, verdict: "ok" },
    ]);
  });

  it("counts the CPU time of this process", async () => {
    const subjects = [
      { name: "unit", run: () => spin(1_000) },
      { name: "ten", run: () => spin(10_000) },
    ];
    const [, ten] = await measure(subjects, { ...real, unit: "unit" });
    expect(ten.ratio).toBeGreaterThan(2);
  });

  it("gives a function and its copies the same time, wherever they stand", async () => {
    const subject = (name) => {
      const values = [name.length, 2, 3];
      return { name, run: () => values.includes(3) };
    };
    const rows = await measure(["first", "second", "third"].map(subject), { ...real, unit: "second" });
    for (const { ratio } of rows) expect(Math.abs(Math.log2(ratio))).toBeLessThan(1);
  });

  it("rejects when a subject throws, or when nothing is the unit", async () => {
    const broken = { name: "broken", run: () => JSON.parse("{") };
    await expect(measure([broken], { ...quick, unit: "broken" })).rejects.toThrow(SyntaxError);
    await expect(measure([broken], { ...quick, unit: "other" })).rejects.toThrow('no subject named "other"');
  });
});

describe("rows", () => {
  it("are medians of the ratios within each round, judged only where there is a target", () => {
    const subjects = [{ name: "a" }, { name: "b", target: 2 }, { name: "c", target: 2 }];
    const samples = new Map([
      ["a", [100, 200, 100]],
      ["b", [200, 400, 900]],
      ["c", [201, 402, 201]],
    ]);
    expect(toRows(subjects, samples, "a")).toEqual([
      { name: "a", ns: 100, ratio: 1 },
      { name: "b", ns: 400, ratio: 2, target: 2, verdict: "ok" },
      { name: "c", ns: 201, ratio: 2.01, target: 2, verdict: "over" },
    ]);
  });

  it("take the middle of an odd and of an even number of samples", () => {
    expect([median([3, 1, 20]), median([4, 1, 2, 90])]).toEqual([3, 3]);
  });
});
