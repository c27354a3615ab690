import { describe, expect, it } from "vitest";
import { parseRegex } from "../../src/pattern/parse.ts";
import { compileForRe2, maxRe2Count } from "../../src/pattern/re2.ts";
import { sizeOf } from "../../src/pattern/size.ts";

describe("sizeOf", () => {
  it("counts the steps of a pattern that is written out", () => {
    expect(sizeOf(parseRegex("ab|c")).steps).toBe(4);
    expect(sizeOf(parseRegex("(?=a)b")).steps).toBe(3);
    expect(sizeOf(parseRegex("a{100}")).steps).toBe(100);
    expect(sizeOf(parseRegex("a{1,3}b*")).steps).toBe(7);
    expect(sizeOf(parseRegex("(a{100}){100}")).steps).toBe(10_000);
  });

  it("counts how often the most repeated part is written", () => {
    expect(sizeOf(parseRegex("a{7}b{3}")).copies).toBe(7);
    expect(sizeOf(parseRegex("(?:a{3}b?){2,5}")).copies).toBe(15);
    expect(sizeOf(parseRegex("(?:a*){0}")).copies).toBe(1);
  });

  it("knows the limit of RE2", () => {
    expect(() => compileForRe2(parseRegex(`(?:a{10}){${maxRe2Count / 10}}`))).not.toThrow();
    expect(() => compileForRe2(parseRegex(`a{${maxRe2Count}}`))).not.toThrow();
    expect(() => compileForRe2(parseRegex(`a{${maxRe2Count + 1}}`))).toThrow("repeat");
  });
});
