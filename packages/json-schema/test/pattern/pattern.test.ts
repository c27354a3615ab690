import fc from "fast-check";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it, vi } from "vitest";
import { SchemaError } from "../../src/errors.ts";
import { compilePattern } from "../../src/pattern/pattern.ts";
import { patternSource, shortText, testNatively } from "./arbitrary.ts";

describe("compilePattern", () => {
  it("agrees with RegExp on random patterns and texts", () => {
    const property = fc.property(
      patternSource({ lookaround: true }),
      fc.array(shortText, { minLength: 3, maxLength: 6 }),
      (source, texts) => {
        const pattern = compilePattern(source);
        for (const text of texts) expect(pattern.test(text), `/${source}/ on ${JSON.stringify(text)}`).toBe(testNatively(source, text));
      },
    );
    fc.assert(property, { numRuns: sized(150, 500) });
  });

  it.each([
    "^(a+)+$",
    "^(a|a)*$",
    "^(a*)*$",
    "(.*)*x",
    "^(?=(a+)+$)a",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(a|b|ab)*c$",
    "(x+x+)+y",
    "(?:a?){400}a{400}$",
  ])("answers /%s/ on 100,000 characters", (source) => {
    const pattern = compilePattern(source);
    const start = cpuTime();
    expect(pattern.test(`${"a".repeat(100_000)}!`)).toBe(false);
    expect(cpuTime() - start).toBeLessThan(20_000);
  });

  it("searches anywhere in the text, and lets $ stand for its very end alone", () => {
    expect(compilePattern("b").test("abc")).toBe(true);
    expect(compilePattern("^.*b$").test("ab\n")).toBe(false);
    expect(compilePattern("(a+)+$").test("xa")).toBe(true);
    expect(compilePattern("(a+)+$").test("xa\n")).toBe(false);
  });

  it("takes a character outside the first plane for one character", () => {
    for (const source of ["^.$", "^😀*$", "^(?:[😀]+)+$", "^(?=.$).*$"]) expect(compilePattern(source).test("😀"), source).toBe(true);
    expect(compilePattern("^(?:.+.+)+$").test("😀")).toBe(false);
  });

  it.each([
    ["^\\d{4}\\-\\d{2}$", "2024-01", "2024_01"],
    ["^[\\w-.]+$", "a-b.c", "a b"],
    ["^{a}$", "{a}", "a"],
    ["^a\\@b$", "a@b", "a\\@b"],
    ["^a]$", "a]", "a"],
    ['^\\"a\\"$', '"a"', "a"],
  ])("reads the lenient spelling %s", (source, good, bad) => {
    expect(compilePattern(source).test(good)).toBe(true);
    expect(compilePattern(source).test(bad)).toBe(false);
  });

  it("begins a match only where a character begins", () => {
    for (const source of ["\\B", "(?!a|😀|$)", "(?<!a|😀|^)"]) expect(compilePattern(source).test("a😀a"), source).toBe(false);
  });

  it.each([
    ["(", "no regular expression of ECMA-262"],
    ["a{2,1}", "no regular expression of ECMA-262"],
    ["^(a)\\1$", "the backreference \\1"],
    ["^(?<x>a)\\k<x>$", "the backreference \\k"],
    ["\\Aabc", "Write ^ instead"],
    ["abc\\Z", "Write $ instead"],
    ["\\012", "an octal escape"],
    ["\\h+", "\\h means nothing in ECMA-262"],
    ["(?i)abc", "no regular expression of ECMA-262"],
    ["\\-\\p{Klingon}", "\\p{Klingon} is no Unicode property"],
    ["(a*){5000}$", "counted repeats are too large"],
    ["(a{40}){40}$", "counted repeats are too large"],
    ["(?=(a{40}){40})", "counted repeats are too large"],
    ["a".repeat(5_000), "5000 characters, and 4096 are allowed"],
    ["(".repeat(200) + ")".repeat(200), "nested more than 100 deep"],
    ["\\p{L}".repeat(20), "more than 10 Unicode properties"],
  ])("refuses %s and says why", (source, reason) => {
    const attempt = (): unknown => compilePattern(source);
    expect(attempt).toThrow(SchemaError);
    expect(attempt).toThrow(expect.objectContaining({ code: "SCHEMA_INVALID", message: expect.stringContaining(reason) }));
    expect(attempt).toThrow(expect.objectContaining({ message: expect.stringContaining(JSON.stringify(source).slice(0, 20)) }));
  });

  // The pattern is kept: a second time would compile nothing.
  it("gives the same answers where RE2 cannot be loaded", { repeats: 0 }, () => {
    const builtin = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    const pattern = compilePattern("^(?:ab|a)+(?:b|ba)*c{2,3}$");
    expect(["aabcc", "abbabaccc"].every((text) => pattern.test(text))).toBe(true);
    expect(["abc", "cc", "abcccc"].some((text) => pattern.test(text))).toBe(false);
    expect(builtin).toHaveBeenCalled();
    builtin.mockRestore();
  });

  it("returns the same pattern for the same source, and forgets the oldest of very many", () => {
    const first = compilePattern("^first$");
    expect(compilePattern("^first$")).toBe(first);
    for (let index = 0; index < 600; index++) compilePattern(`^p${index}$`);
    expect(compilePattern("^first$")).not.toBe(first);
    expect(compilePattern("^first$").test("first")).toBe(true);
  });

  it("fails a text that exhausts the engine instead of throwing", () => {
    const pattern = compilePattern("^(?:(a)(b)|c)*$");
    expect(pattern.test("abc".repeat(10))).toBe(true);
    expect(() => pattern.test("abc".repeat(7_000_000))).not.toThrow();
  });

  it("runs the patterns that schema libraries write, lookaheads included", () => {
    const duration = compilePattern("^P(?:(\\d+W)|(?!.*W)(?=\\d|T\\d)(\\d+Y)?(\\d+M)?(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?(\\d+S)?)?)$");
    expect(["P1Y2M", "P3W", "PT5M"].every((text) => duration.test(text))).toBe(true);
    expect(["P", "PT", "P1W2D", "P1YT"].some((text) => duration.test(text))).toBe(false);
    const host = compilePattern("^(?=.{1,253}\\.?$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[-0-9a-z]{0,61}[0-9a-z])?)*\\.?$");
    expect(host.test("example.org.")).toBe(true);
    expect(host.test(`${"a.".repeat(200)}org`)).toBe(false);
  });
});
