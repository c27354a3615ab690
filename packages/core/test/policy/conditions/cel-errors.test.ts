import { describe, expect, it } from "vitest";
import { createCelEngine } from "../../../src/policy/conditions/cel.ts";
import { policyFromConfig } from "../../../src/policy/config/config.ts";

const { compile } = createCelEngine();

describe("what is wrong with a condition", () => {
  it.each<[condition: string, message: string]>([
    ['input.a == "x" &&& true', 'Unexpected character: & at line 1, column 18, before "& true"'],
    ["argv[0] ==", "Unexpected token: EOF at line 1, column 11, its end"],
    ["true\n  && 1 + true", 'no such overload: int + bool at line 2, column 6, before "1 + true"'],
    ["nope(1)", "found no matching overload for 'nope(int)' at line 1, column 1, before \"nope(1)\""],
    ['a.matches("x") && b.matches("y") && 1 + true', 'no such overload: int + bool at line 1, column 37, before "1 + true"'],
    ['1.matches("x")', "found no matching overload for 'int.matches(string)' at line 1, column "],
    ['a == "b" && c.matches("(d")', 'matches("(d") at line 1, column 15, before "matches(\\"(d\\")":'],
  ])("has its position: %s", (condition, message) => {
    expect(() => compile(condition)).toThrow(message);
  });

  it("keeps what was thrown as its cause", () => {
    for (const condition of ['c.matches("(d")', "1 + true"])
      expect(() => compile(condition)).toThrow(expect.objectContaining({ cause: expect.any(Error) }));
  });

  it("has its position in the error of the policy, beside the place of the rule", () => {
    expect(() => policyFromConfig({ tools: { conditions: [{ tool: "exec", deny: "argv[0] = 1" }] } }, {})).toThrow(
      /The condition "argv\[0\] = 1" at tools\.conditions\[0\].* is refused: .* at line 1, column 9, before "= 1"/,
    );
  });

  it("has its position when it fails for one call", () => {
    const condition = compile('tool.matches("x") || input.missing.part == 1');
    expect(() => condition({ tool: "y", input: {} })).toThrow(/at line 1, column \d+, before "/);
  });
});
