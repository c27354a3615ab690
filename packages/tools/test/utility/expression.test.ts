import { createRegistry } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { createCalculator } from "../../src/utility/calculator.ts";
import { evaluateExpression } from "../../src/utility/expression.ts";

describe("an expression", () => {
  it.each(["abs", "ceil", "floor", "sqrt", "cbrt", "exp", "sin", "cos", "tan", "asin", "acos", "atan", "sign", "trunc"] as const)(
    "knows %s, in capitals too",
    (name) => {
      expect(evaluateExpression(`${name}(0.37)`)).toBe(Math[name](0.37));
      expect(evaluateExpression(`${name.toUpperCase()}(0.37)`)).toBe(Math[name](0.37));
    },
  );

  it.each([
    ["ln(2)", Math.log(2)],
    ["log(2)", Math.log10(2)],
    ["log2(10)", Math.log2(10)],
    ["pow(2, 10)", 1_024],
    ["min(3)", 3],
    ["max(1, 2)", 2],
    ["PI + E", Math.PI + Math.E],
    ["1.5e-3", 0.0015],
    ["2E+2", 200],
    ["5.", 5],
    ["7 % 4 * 2", 6],
    ["8 / 4 / 2", 1],
    ["9 − 4 − 3", 2],
    ["+-+2", -2],
    ["−3", -3],
    ["2**3**2", 512],
    ["2*3", 6],
    ["\t( 1\n+ 2 )", 3],
    ["round(1.005, 2)", 1.01],
    ["round(2.5)", 3],
    ["round(123.456, 15)", 123.456],
    ["round(1e300, 2)", 1e300],
  ])("%s is %d", (expression, value) => {
    expect(evaluateExpression(expression)).toBeCloseTo(value, 10);
  });

  it.each([
    ["round(1, 16)", "at position 13: the result is not a real number"],
    ["round(1, -1)", "at position 13: the result is not a real number"],
    ["round(1, 0.5)", "at position 14: the result is not a real number"],
    ["round(1, 2, 3)", 'at position 15: "round" takes 1 or more numbers, not 3'],
    ["pow(2)", 'at position 7: "pow" takes 2 numbers, not 1'],
    ["5 % 0", "at position 6: a division by zero"],
    ["sqrt 4", 'at position 6: "sqrt" needs its numbers in parentheses'],
    ["min(1", 'at position 6: a ")" is missing before the end'],
    ["min(1 2)", 'at position 7: a ")" is missing before "2"'],
    ["1e999", "at position 6: the result is too large"],
    ["1e308 * 10", "at position 11: the result is too large"],
    ["2 + 😀", 'at position 5: a number is missing before "😀"'],
    ["  ", "at position 3: a number is missing before the end"],
    ["x", /^at position 1: "x" is not known\. Known are abs, .*, max, pi, e$/],
  ])("%s is refused with the place", (expression, message) => {
    expect(() => evaluateExpression(expression)).toThrow(message);
  });

  it("may be nested a hundred levels deep, side by side as often as one likes", () => {
    expect(evaluateExpression(`${"(".repeat(100)}1${")".repeat(100)}`)).toBe(1);
    expect(() => evaluateExpression(`${"(".repeat(101)}1${")".repeat(101)}`)).toThrow("more than 100 levels of nesting");
    expect(evaluateExpression(Array.from({ length: 300 }, () => "(1)").join("+"))).toBe(300);
  });
});

it.each([
  ["1234567.5", "1,234,567.5"],
  ["0", "0"],
  ["0.000001", "0.000001"],
  ["1 / 10000000", "1e-7"],
  ["-1 / 10000000", "-1e-7"],
  ["999999999999999", "999,999,999,999,999"],
  ["10 ^ 15", "1000000000000000"],
  ["1 / 3", "0.333333333333333"],
])("the calculator shows %s as %s", async (expression, formatted) => {
  const registry = createRegistry();
  registry.register(createCalculator());
  expect(await registry.invoke("calculator", { expression })).toMatchObject({ ok: true, data: { formatted } });
});
