import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { includesText, occurrencesOf } from "../../src/workspace/find-text.ts";

describe("finding a text", () => {
  it("finds what the engine finds, for short texts and long ones", () => {
    const part = fc.stringMatching(/^[ab]{1,3}$/);
    fc.assert(
      fc.property(part, fc.integer({ min: 1, max: 120 }), fc.array(part, { maxLength: 400 }), (unit, times, parts) => {
        const wanted = unit.repeat(times);
        const text = `${parts.join("")}${wanted}${parts.join("")}`;
        const expected: number[] = [];
        for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) expected.push(at);
        expect([...occurrencesOf(wanted, text)]).toEqual(expected);
        expect(includesText(text, `${wanted}c`)).toBe(false);
      }),
      { numRuns: 300 },
    );
    expect([...occurrencesOf("", "abc")]).toEqual([]);
    expect(includesText("abc", "")).toBe(true);
  });

  it("takes no longer for a text made to be slow", () => {
    const wanted = `${"a".repeat(50_000)}b${"a".repeat(50_000)}`;
    expect(includesText("a".repeat(5_000_000), wanted)).toBe(false);
  });
});
