import { describe, expect, test } from "vitest";
import { runProgram, type ProgramResult } from "../src/index.ts";
import { hostMistake, hostState } from "./support/escapes.mjs";

async function answered(answer: unknown, source: string): Promise<ProgramResult> {
  return await runProgram(source, { tools: { get: async () => answer } });
}

describe("what a tool answers is copied as plain data", () => {
  test("getters do not run, and functions, symbols and accessors are left out", async () => {
    let ran = false;
    const hostile = {
      get secret(): string {
        ran = true;
        return "x";
      },
      run: () => process,
      [Symbol.for("x")]: 1,
      a: 1,
    };
    expect(await answered(hostile, "return Object.keys(await tools.get({}));")).toMatchObject({ ok: true, value: ["a"] });
    expect(ran).toBe(false);
  });

  test("a program cannot change what a tool keeps", async () => {
    const kept = { list: [1], inner: { a: 1 } };
    await answered(kept, "const r = await tools.get({}); r.list.push(2); r.inner.a = 5; delete r.inner; return r;");
    expect(kept).toEqual({ list: [1], inner: { a: 1 } });
  });

  test("__proto__ is left out with a warning", async () => {
    const result = await answered(
      JSON.parse('{"__proto__":{"polluted":1},"a":1}'),
      "const r = await tools.get({}); return [Object.keys(r), r.polluted ?? null];",
    );
    expect(result).toMatchObject({ ok: true, value: [["a"], null], warnings: [expect.stringContaining("__proto__")] });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test("dates become text, and other host objects their own data", async () => {
    const result = await answered(
      { date: new Date(0), map: new Map([[1, 2]]), error: new Error("x"), buffer: new Uint8Array(2) },
      "return await tools.get({});",
    );
    expect(result).toMatchObject({ ok: true, value: { date: "1970-01-01T00:00:00.000Z", map: {}, error: {}, buffer: { 0: 0, 1: 0 } } });
  });

  test.each([
    ["a cycle", Object.assign([], [[]])],
    ["a BigInt", { n: 10n }],
  ])("%s is a failed call that can be caught", async (name, answer) => {
    if (name === "a cycle") (answer as unknown[])[0] = answer;
    const result = await answered(answer, "try { await tools.get({}); return 'ok'; } catch (e) { return [e.name, e.code, e.tool]; }");
    expect(result).toMatchObject({ ok: true, value: ["ToolError", "RESULT_NOT_PLAIN", "get"] });
  });

  test("a proxy with endless depth is a failed call", async () => {
    const endless = (): object =>
      new Proxy({}, { ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ value: endless(), enumerable: true, configurable: true }) });
    expect(await answered(endless(), "return await tools.get({});")).toMatchObject({ ok: false, error: { kind: "tool" } });
  });

  test("of an error only message, code and retryable are seen", async () => {
    const error = Object.assign(new Error("it failed"), { code: "BUSY", retryable: true, handle: process, cause: process });
    const tools = { get: async () => Promise.reject(error) };
    const result = await runProgram(
      "try { await tools.get({}); } catch (e) { return [e.message, e.code, e.retryable, e.tool, typeof e.handle, typeof e.cause, e.stack]; }",
      { tools },
    );
    expect(result).toMatchObject({ ok: true, value: ["it failed", "BUSY", true, "get", "undefined", "undefined", "ToolError: it failed"] });
  });
});

describe("a program reaches nothing of the host", () => {
  const attempts = [
    "return [].map.constructor('return process')();",
    "return tools.get.constructor;",
    "return Object.keys(tools.get({}).then)[0];",
    "const k = 'const' + 'ructor'; return (() => 1)[k];",
    "const { constructor } = () => 1; return constructor;",
    "return (async () => {}).__proto__;",
    "const p = '__pro' + 'to__'; const o = {}; o[p] = { x: 1 }; return o.x;",
    "return new Map().entries()['constr' + 'uctor'];",
    "return Reflect.ownKeys({});",
    "return globalThis.process;",
    "return this.process;",
    "return (function () { return this; })().process;",
    "return Error.captureStackTrace({});",
    "return new Error('x').stack.includes('node:') || new Error('x').stack.includes('/');",
    'return JSON.parse(\'{"__proto__":{"x":1}}\').x;',
    "class A extends Function {} return new A('return process')();",
    "return Promise.resolve(1).then.constructor;",
    "return structuredClone(tools);",
    "return tools.get.call(null, {});",
    "Object.prototype.x = 1; return 1;",
    "Array.isArray = 1; return 1;",
    "console.log = 1; return 1;",
    "return await import('node:fs');",
    "return $call(() => 1, 1);",
    "return $promise();",
  ];
  test.each(attempts)("%s", async (source) => {
    const before = hostState();
    const result = await runProgram(source, { tools: { get: async () => 1 } });
    expect(hostMistake(result)).toBeUndefined();
    expect(hostState()).toEqual(before);
    if (result.ok) expect([undefined, null, false]).toContain(result.value);
    else expect(["thrown", "unsupported", "syntax"]).toContain(result.error.kind);
  });
});
