import { describe, expect, test } from "vitest";
import { prepareProgram } from "../../src/index.ts";
import { lineOf, lineStartsOf, placeOf, readSource, withoutTypeModules } from "../../src/parse/source.ts";

describe("a text of half a million characters is read in one pass", () => {
  const long = 500_000;

  // Each of these took hours, or doubled with each comment.
  test.each([
    ["comments", "/**/".repeat(45)],
    ["very many comments", "/**/".repeat(long / 4)],
    ["blanks behind a fence", `\`\`\`\n${" ".repeat(long)}`],
    ["lines behind a fence", `\`\`\`\n${"\n\t".repeat(long / 2)}`],
    ["a fence of tildes", `${"~".repeat(long / 2)}\n${"~".repeat(long / 2)} `],
    ["imports of types without an end", "import type a\n".repeat(long / 14)],
    ["imports of types before blanks", `${"import type a\n".repeat(long / 28)}${" ".repeat(long / 2)}"`],
    ["exports before blanks", `export${"\n".repeat(long)}`],
    ["names of types before blanks", "type\n".repeat(long / 5)],
  ])("%s", (_what, source) => {
    const { text } = readSource(source);
    expect(readSource(`${source}return 1`).text.endsWith("return 1")).toBe(true);
    expect(withoutTypeModules(text).length).toBe(text.length);
    expect(prepareProgram(`${source}return 1`).diagnostics.length).toBeLessThan(21);
  });
});

test("a program stands in a fence, which may be longer or shorter at its end where that still closes it", () => {
  const program = (source: string): string => readSource(source).text;
  expect(program("```ts\nreturn 1;\n```")).toBe("\nreturn 1;");
  expect(program(" \n~~~~\nreturn 1;\n  ~~~ \n")).toBe(" \n\nreturn 1;");
  expect(program("```\n```")).toBe("\n");
  expect(program("```\nreturn 1;\n````")).toBe("\nreturn 1;\n`");
  for (const other of ["````\nreturn 1;\n```", "```return 1;```", "``\nreturn 1;\n``", "~~~\nreturn 1;", "```a`\n1\n```"])
    expect(program(other)).toBe(other);
});

test("the default export is the program, behind blanks and comments", () => {
  expect(readSource("// a\n/* b */ export  default async () => 1")).toEqual({
    text: "// a\n/* b */                  async () => 1".replace(/ {18}a/, `${" ".repeat(16)} a`),
    exported: true,
  });
  for (const other of ["export defaults", "exports default 1", "/* export default */ 1", "// export default 1"])
    expect(readSource(other)).toEqual({ text: other, exported: false });
});

test("what only modules may have and says nothing but types becomes blanks", () => {
  expect(withoutTypeModules('import type { A } from "a"; import type B from "b"\nexport declare type C = 1;')).toBe(
    `${" ".repeat(27)}${" import type B from".replace(/./g, " ")}${" ".repeat(4)}\n       declare type C = 1;`,
  );
  for (const other of ['import { A } from "a"', 'const t = "a"; x = import type', "export const a = 1", 'import type A from "a\n"'])
    expect(withoutTypeModules(other)).toBe(other);
});

test("the place of an offset is found among the starts of lines", () => {
  const text = "ab\n\nc\n";
  const places = [...`${text}.`].map((_, offset) => placeOf(text, offset, lineStartsOf(text)));
  expect(places.map(({ line, column }) => `${line}:${column}`)).toEqual(["1:1", "1:2", "1:3", "2:1", "3:1", "3:2", "4:1"]);
  expect([placeOf(text, -5), placeOf(text, 99)]).toEqual([{ line: 1, column: 1 }, { line: 4, column: 1 }]); // prettier-ignore
  expect([1, 2, 3, 4].map((line) => lineOf(text, line))).toEqual(["  1 | ab", "  2 | ", "  3 | c", "  4 | "]);
});
