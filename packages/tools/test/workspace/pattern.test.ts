import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCase, compileLineTest } from "../../src/workspace/pattern.ts";

describe("patterns for lines", () => {
  it("a pattern finds what a regular expression finds", () => {
    const test = compileLineTest("^func \\w+\\(");
    expect(test("func main() {")).toBe(true);
    expect(test("// func main() {")).toBe(false);
  });

  it("a literal is looked for as it is", () => {
    expect(compileLineTest("a.b(", { isLiteral: true })("x = a.b(1)")).toBe(true);
    expect(compileLineTest("a.b(", { isLiteral: true })("x = aXb(1)")).toBe(false);
    expect(compileLineTest("TODO:", { isLiteral: true, ignoresCase: true })("// todo: later")).toBe(true);
  });

  it("what is no regular expression is refused with a way out", () => {
    expect(() => compileLineTest("a(b")).toThrow(/literal/);
  });

  it("without regard to case, letters, ranges and classes match in both", () => {
    const tested = [
      "func|Main",
      "[a-f]+1",
      "[X-c]",
      "é",
      "\\bfoo\\b",
      "\\u0041x",
      "(?<name>ab)",
      "[^a-c]z",
      "a{2,3}",
      "\\p{Lu}-x",
      "fo-(?<b>a)",
      "o-t",
    ];
    const words = [
      "FUNC",
      "main",
      "ABC1",
      "abc1",
      "É",
      "Foo",
      "foot",
      "AX",
      "aX",
      "AB",
      "dZ",
      "aZ",
      "AA",
      "a",
      "_",
      "^",
      "`",
      "Q-X",
      "FO-A",
      "O-T",
    ];
    for (const pattern of tested.filter((one) => !one.includes("\\u") && !one.includes("\\p"))) {
      const test = compileLineTest(pattern, { ignoresCase: true });
      for (const word of words) expect([pattern, word, test(word)]).toEqual([pattern, word, new RegExp(pattern, "iu").test(word)]);
    }
    expect(tested.map(anyCase).every((pattern) => new RegExp(pattern, "u") instanceof RegExp)).toBe(true);
  });

  it("words match without regard to case as a regular expression with the flag does", () => {
    const letters = fc.stringMatching(/^[a-dA-D0-9]{0,6}$/);
    fc.assert(
      fc.property(letters, letters, (word, line) => {
        expect(compileLineTest(`${word}$`, { ignoresCase: true })(line)).toBe(new RegExp(`${word}$`, "iu").test(line));
      }),
      { numRuns: 200 },
    );
  });

  it("a pattern made to stall an engine does not", () => {
    const test = compileLineTest("(a+)+$");
    expect(test(`${"a".repeat(50_000)}b`)).toBe(false);
  });
});
