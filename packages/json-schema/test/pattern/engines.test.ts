import fc from "fast-check";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { createMachine } from "../../src/pattern/machine.ts";
import { parseRegex } from "../../src/pattern/parse.ts";
import { compileForRe2 } from "../../src/pattern/re2.ts";
import { patternSource, shortText, testNatively } from "./arbitrary.ts";

describe("the two engines for patterns that could backtrack", () => {
  it("RE2 agrees with RegExp on every pattern without lookaround", () => {
    const property = fc.property(
      patternSource({ lookaround: false }),
      fc.array(shortText, { minLength: 3, maxLength: 6 }),
      (source, texts) => {
        const re2 = compileForRe2(parseRegex(source))!;
        for (const text of texts) expect(re2.test(text), `/${source}/ on ${JSON.stringify(text)}`).toBe(testNatively(source, text));
      },
    );
    fc.assert(property, { numRuns: sized(150, 400) });
  });

  it("the machine agrees with RegExp on every pattern, lookaround included", () => {
    const property = fc.property(
      patternSource({ lookaround: true }),
      fc.array(shortText, { minLength: 3, maxLength: 6 }),
      (source, texts) => {
        const machine = createMachine(parseRegex(source));
        for (const text of texts) expect(machine.test(text), `/${source}/ on ${JSON.stringify(text)}`).toBe(testNatively(source, text));
      },
    );
    fc.assert(property, { numRuns: sized(200, 800) });
  });

  it("the machine can be asked again and keeps nothing of the text before", () => {
    const machine = createMachine(parseRegex("(?<=a)b+(?!c)"));
    expect([machine.test("abb"), machine.test("bb"), machine.test("abc"), machine.test("abb"), machine.test("")]).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
  });

  it("the machine stays linear where lookarounds are nested and repeated", () => {
    const machine = createMachine(parseRegex("^(?:(?=(?:a*)*b)(?<!c+c)a)*$"));
    const start = cpuTime();
    expect(machine.test("a".repeat(100_000))).toBe(false);
    expect(cpuTime() - start).toBeLessThan(20_000);
  });
});
