import { expect, test } from "vitest";
import { runProgram } from "../../src/index.ts";

const value = async (source: string): Promise<unknown> => {
  const result = await runProgram(source, { tools: {} });
  return result.ok ? result.value : result.error.message;
};

// In TypeScript this is one call with two type arguments.
const compared = "const list = (...all) => all; const a = 1, b = 2, c = 3, d = 4; const found = list(a < b, c > (d));";

test("a text of JavaScript keeps its meaning, whatever its strings and names look like", async () => {
  expect(await value(`${compared} return [found, \`\ninterface Point { x: number }\n\`];`)).toEqual([
    [true, false],
    "\ninterface Point { x: number }\n",
  ]);
  expect(await value(`let type = 1, X = 2;\ntype\nX = 3; ${compared} return [found, X];`)).toEqual([[true, false], 3]);
});

test("a declared type does not keep the rest from running as it would without", async () => {
  expect(await value("interface Point { x: number }\nconst p: Point = { x: 1 }; return p.x + 1;")).toBe(2);
  expect(await value("type X = 1 | 2\nconst x: X = 2; return x;")).toBe(2);
});

test("a mistake beside a declared type is told where it is", async () => {
  expect(await value("interface Point { x: number }\nconst p = { x: 1 ;\nreturn p;")).toContain("Line 2:");
  expect(await value("type X = 1;\nconst a = 1;\nconst a = 2;")).toBe(
    "Line 3: Identifier 'a' has already been declared.\n  3 | const a = 2;",
  );
});
