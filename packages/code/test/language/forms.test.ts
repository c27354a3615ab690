import { describe, expect, test } from "vitest";
import { prepareProgram, runProgram } from "../../src/index.ts";

describe("a program may come in several forms", () => {
  test.each([
    ["a Markdown fence", "```ts\nreturn 7;\n```"],
    ["an arrow function", "async () => { return 7; }"],
    ["an arrow function with an expression", "async () => 7"],
    ["an exported function", "export default async function main() { return 7; }"],
    ["an exported arrow function", "export default async () => { return 7; };"],
    ["a function that is called at once", "(async () => { return 7; })();"],
    ["types of a module", 'import type { A } from "a";\nexport interface B { x: number }\nconst b: B = { x: 7 };\nreturn b.x;'],
    ["Windows line ends", "const x: number = 7;\r\nreturn x;\r\n"],
    ["enums", "enum A { X = 3, Y } return A.Y + A.X;"],
    [
      "parameter properties",
      "class A { constructor(private x: number, readonly y = 4) {} sum() { return this.x + this.y; } } return new A(3).sum();",
    ],
    [
      "casts, generics and overloads",
      "function f(x: string): string; function f(x: number): number; function f(x: any) { return x; } const g = <T,>(x: T): T => x; return (g<number>(f(7)) as unknown as number)!;",
    ],
    [
      "abstract classes",
      "abstract class A { abstract n(): number; twice() { return this.n(); } } class B extends A { n() { return 7; } } return new B().twice();",
    ],
    ["for await", "let n = 0; for await (const x of [Promise.resolve(3), 4]) n += x; return n;"],
  ])("%s", async (_name, source) => {
    expect(await runProgram(source, { tools: {} })).toMatchObject({ ok: true, value: 7 });
  });
});

describe("what the language leaves out is found before anything runs, with the way out", () => {
  test.each([
    ["function* g() { yield 1; }", /generators.*Build an array/],
    ["const o = { get a() { return 1; } };", /getters and setters.*Use a method/],
    ["class A { #total = 0; }", /#private.*Write "total"/],
    ["return Symbol('x');", /Symbol.*texts as keys/],
    ["return new Proxy({}, {});", /Proxy.*plain objects/],
    ["return eval('1');", /eval.*Write the code/],
    ["function f() { return arguments[0]; }", /arguments.*\.\.\.args/],
    ["import fs from 'fs';", /import.*Only `tools`/],
    ["return await import('fs');", /imports.*Only `tools`/],
    ["return x`a`;", /tagged templates/],
    ["return 10n;", /BigInt.*numbers/],
    ["return new String('x');", /new String.*String\(value\)/],
    ["return Array.prototype;", /prototype.*class/],
    ["return ({ __proto__: null });", /__proto__/],
    ["setTimeout(() => {}, 1);", /setTimeout.*await the call/],
    ["return fetch('x');", /fetch.*Use a tool/],
    ["return process.env;", /process.*Use a tool/],
    ["return Object.defineProperty({}, 'a', {});", /Object\.defineProperty/],
    ["namespace A { export const x = 1; }", /namespaces.*object/],
    ["with ({}) {}", /with/],
    ["return /a/v;", /flags d and v/],
    ["return new.target;", /./],
  ])("%s", (source, message) => {
    const { ok, diagnostics } = prepareProgram(`const before = 1;\n${source}`);
    expect(ok).toBe(false);
    expect(diagnostics[0]).toMatchObject({ line: 2, message: expect.stringMatching(message) as string });
    expect(diagnostics[0]?.message).toContain(`2 | ${source}`);
  });
});

describe("an error names the expression, the fact and the way out", () => {
  const tools = { get_customer: async () => ({ name: "Ada" }), "resolve-id": async () => 1 };
  test.each([
    [
      "const c = await tools.get_customer({});\nreturn c.address.city;",
      2,
      /TypeError: c\.address is undefined \(from get_customer\).*c\.address\?\.city/,
    ],
    ["return tools.get_custmer({});", 1, /no tool "get_custmer".*tools\.get_customer/],
    ["return tools.resolve_id({});", 1, /no tool "resolve_id".*tools\["resolve-id"\]/],
    ["const c = tools.get_customer({});\nreturn c.name;", 2, /promise.*Await it/],
    ["const x = 1;\nx = 2;", 2, /constant variable "x".*let/],
    ["return y;", 1, /y is not defined/],
    ["return get_customer({});", 1, /Tools are called as tools\.get_customer/],
    ["const o = { a: 1 };\nreturn o.run();", 2, /o\.run is not a function/],
    ["for (const x of { a: 1 }) {}", 1, /not iterable.*Object\.keys/],
    ["return `${{ toString() { return 'x'; } }}`;", 1, /own toString.*Call it/],
    ["return Math.max.apply(null, [1]);", 1, /apply is not supported.*spread/],
    ["const a = [];\na[5000] = 1;", 2, /more than 1000 past the end/],
    ["return JSON.parse('{oops');", 1, /not JSON/],
    ["throw { code: 5 };", 1, /threw \{"code":5\}/],
    ["const x = ;", 1, /Unexpected ";"/],
  ])("%s", async (source, line, message) => {
    const result = await runProgram(source, { tools });
    expect(result).toMatchObject({ ok: false, error: { line, message: expect.stringMatching(message) as string } });
  });
});
