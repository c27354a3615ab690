import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { root } from "../lib/files.mjs";
import { readSeed } from "./fixed-seed.mjs";

const small = fc.property(fc.integer(), (number) => number < 1_000);

function failureOf(options) {
  try {
    fc.assert(small, options);
  } catch (error) {
    return error.message;
  }
  throw new Error("The property held.");
}

describe("the values of property tests", () => {
  it("are the same in each run, those of the seed that is named, or new ones", () => {
    expect([undefined, "", "7", "-3", "random"].map(readSeed)).toEqual([20_261_115, 20_261_115, 7, -3, undefined]);
    expect(() => readSeed("dice")).toThrow('FC_SEED is "dice". Write a whole number, or random.');
    const drawn = (seed) => fc.sample(fc.integer(), { numRuns: 20, ...(seed !== undefined && { seed }) });
    expect(drawn(readSeed("7"))).toEqual(drawn(7));
    expect(drawn(readSeed("7"))).not.toEqual(drawn(8));
  });

  it("that break a property are told with the seed that finds them again, and as a case for the test", () => {
    const found = failureOf({ seed: undefined });
    const [, seed] = /FC_SEED=(-?\d+)/.exec(found);
    expect(found).toContain("{ examples: [[1000]] }");
    expect(failureOf({ seed: readSeed(seed) })).toBe(found);
  });

  it("that were kept as a case are tried first, whatever the seed", () => {
    const tried = [];
    fc.assert(
      fc.property(fc.integer(), (number) => void tried.push(number)),
      { examples: [[1_000]], numRuns: 5 },
    );
    expect(tried[0]).toBe(1_000);
  });

  it("are new ones every night", () => {
    const workflow = readFileSync(join(root, ".github/workflows/nightly.yml"), "utf8");
    expect(workflow).toMatch(/schedule:\n\s+- cron: /);
    expect(workflow).toContain("FC_SEED: random");
    expect(workflow).toContain("npm run test:long -- properties");
  });
});
