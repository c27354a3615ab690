import { describe, expect, test } from "vitest";
import { prepareProgram } from "../../src/index.ts";

interface Shape {
  readonly name: string;
  readonly before?: string;
  readonly open: string;
  readonly inside: string;
  readonly close: string;
  readonly after?: string;
  /** So often it can surely stand in itself. */
  readonly allowed: number;
}

const shapes: readonly Shape[] = [
  { name: "templates", open: "`${", inside: "1", close: "}`", allowed: 190 },
  { name: "parentheses", open: "(", inside: "1", close: ")", allowed: 190 },
  { name: "lists", open: "[", inside: "1", close: "]", allowed: 190 },
  { name: "objects in lists", open: "[{a:", inside: "1", close: "}]", allowed: 95 },
  { name: "calls", open: "f(", inside: "1", close: ")", allowed: 190 },
  { name: "arrows", open: "a=>", inside: "1", close: "", allowed: 140 },
  { name: "functions", open: "[function () { return ", inside: "1", close: "}]", allowed: 60 },
  { name: "async functions", open: "async () => {return ", inside: "1", close: "}", allowed: 90 },
  { name: "conditions", open: "a ? 1 : ", inside: "1", close: "", allowed: 190 },
  { name: "negations", open: "!", inside: "1", close: "", allowed: 900 },
  { name: "sums", open: "1 + ", inside: "1", close: "", allowed: 900 },
  { name: "powers", open: "1 ** ", inside: "1", close: "", allowed: 450 },
  { name: "assignments", open: "a = ", inside: "1", close: "", allowed: 190 },
  { name: "awaits", open: "await ", inside: "1", close: "", allowed: 900 },
  { name: "constructors", open: "new ", inside: "f", close: "", allowed: 900 },
  { name: "types in brackets", before: "let t: ", open: "(", inside: "string", close: ")", allowed: 190 },
  { name: "lists of types", before: "let t: ", open: "A<", inside: "string", close: " >", allowed: 190 },
  { name: "types of objects", before: "let t: ", open: "{a:", inside: "string", close: "}", allowed: 190 },
  { name: "types of keys", before: "let t: ", open: "keyof ", inside: "string", close: "", allowed: 900 },
  { name: "conditional types", before: "type T = ", open: "A extends B ? 1 : ", inside: "string", close: "", allowed: 190 },
  { name: "blocks", before: "", open: "{", inside: "", close: "}", allowed: 290 },
  { name: "branches", before: "", open: "if (a) {", inside: "", close: "}", allowed: 140 },
  { name: "other branches", before: "", open: "if (a) f(); else ", inside: "f()", close: "", allowed: 290 },
  { name: "loops", before: "", open: "for (;;) ", inside: "f()", close: "", allowed: 290 },
  { name: "declared functions", before: "", open: "function f() {", inside: "", close: "}", allowed: 190 },
  { name: "classes", before: "", open: "class A { m() {", inside: "", close: "} }", allowed: 190 },
  { name: "patterns", before: "let ", open: "[", inside: "a", close: "]", after: " = 1", allowed: 190 },
  { name: "patterns of objects", before: "let ", open: "{ a: ", inside: "a", close: "}", after: " = 1", allowed: 190 },
];

function program({ before = "let x = ", open, inside, close, after = "" }: Shape, count: number, withEnd = true): string {
  return before + open.repeat(count) + (withEnd ? inside + close.repeat(count) + after : "");
}

describe("a program that is nested without end is refused before the stack ends, with the limit", () => {
  const message =
    "Line 1: The program is nested too deeply: brackets, blocks and functions can go 200 levels deep, and an expression can have 1,000 operators in a row. Use variables for inner parts.";

  for (const shape of shapes) {
    test(`${shape.name}, of which some are allowed`, () => {
      for (const count of [1_100, 8_000, 40_000])
        for (const withEnd of [false, true]) {
          const [first] = prepareProgram(program(shape, count, withEnd)).diagnostics;
          expect(first?.message.split("\n")[0], `${count} ${withEnd}`).toBe(message);
        }
      const few = prepareProgram(program(shape, shape.allowed)).diagnostics.map((one) => one.message);
      expect(few.filter((one) => one.includes("too deeply") || one.includes("Unexpected"))).toEqual([]);
    });
  }
});

test("brackets in texts, comments and patterns are none", () => {
  const many = "([{`${".repeat(2_000);
  const source = `const a = "${many}"; /* ${many} */ const b = /[${"(".repeat(2_000)}]/; // ${many}\nreturn 1;`;
  expect(prepareProgram(source)).toEqual({ ok: true, diagnostics: [] });
});
