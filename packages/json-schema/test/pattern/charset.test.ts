import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { complementOf, contains, isDisjoint, propertySet, spaces, unionOf, wordCharacters } from "../../src/pattern/charset.ts";

describe("sets of characters", () => {
  const range = fc.tuple(fc.nat(60), fc.nat(10)).map(([from, length]) => [from, from + length]);

  it("a union and a complement hold what they should", () => {
    const property = fc.property(fc.array(range, { maxLength: 5 }), fc.nat(80), (ranges, code) => {
      const expected = ranges.some(([from, to]) => from! <= code && code <= to!);
      expect(contains(unionOf(ranges), code)).toBe(expected);
      expect(contains(complementOf(unionOf(ranges)), code)).toBe(!expected);
    });
    fc.assert(property);
  });

  it("sets are disjoint exactly if no character is in two of them", () => {
    const property = fc.property(fc.array(range, { maxLength: 4 }), (sets) => {
      const shared = Array.from({ length: 80 }, (_, code) => sets.filter((set) => contains(set, code)).length).some((count) => count > 1);
      expect(isDisjoint(sets)).toBe(!shared);
    });
    fc.assert(property);
  });

  it.each([
    ["\\s", spaces],
    ["\\w", wordCharacters],
    ["\\p{L}", propertySet("L")!],
    ["\\p{Script=Greek}", propertySet("Script=Greek")!],
    ["\\p{Noncharacter_Code_Point}", propertySet("Noncharacter_Code_Point")!],
    ["\\p{Default_Ignorable_Code_Point}", propertySet("Default_Ignorable_Code_Point")!],
    ["\\p{Cn}", propertySet("Cn")!],
    ["\\p{Cs}", propertySet("Cs")!],
  ])("%s holds exactly the code points that RegExp puts into it", (source, set) => {
    const native = new RegExp(source, "u");
    const wrong: number[] = [];
    for (let code = 0; code <= 0x10ffff; code++) if (contains(set, code) !== native.test(String.fromCodePoint(code))) wrong.push(code);
    expect(wrong).toEqual([]);
  });

  it("there is no set for what is no property", () => {
    expect(propertySet("Klingon")).toBeUndefined();
    expect(propertySet("L}|.*|\\p{L")).toBeUndefined();
  });
});
