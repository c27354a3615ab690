import { describe, expect, test } from "vitest";
import { resumeProgram, runProgram, startProgram } from "../src/index.ts";

const tools = { ask: async () => 1, send: async () => null };

describe("a program that is given an input", () => {
  test("sees it as the constant input", async () => {
    const result = await runProgram("return [input.celsius * 9 / 5 + 32, typeof input];", { tools, input: { celsius: 20 } });
    expect(result).toMatchObject({ ok: true, value: [68, "object"] });
  });

  test("may be given any plain data", async () => {
    for (const input of [null, 0, "", false, [1, { a: 2 }]])
      expect(await runProgram("return input;", { tools, input })).toMatchObject({ ok: true, value: input });
  });

  test("gets a copy: own data properties alone, and changes stay inside", async () => {
    let ran = false;
    const input = {
      list: [1],
      run: () => 1,
      get hidden(): number {
        ran = true;
        return 1;
      },
    };
    const result = await runProgram("input.list.push(2); return [input.list, Object.keys(input)];", { tools, input });
    expect(result).toMatchObject({ ok: true, value: [[1, 2], ["list"]] });
    expect(input.list).toEqual([1]);
    expect(ran).toBe(false);
  });

  test("can use the name for a variable of its own", async () => {
    expect(await runProgram("const input = 5; return input;", { tools, input: 1 })).toMatchObject({ value: 5 });
  });

  test("cannot assign to it", async () => {
    const result = await runProgram("input = 5; return input;", { tools, input: 1 });
    expect(result).toMatchObject({ ok: false, error: { kind: "thrown", line: 1 } });
    expect(!result.ok && result.error.message).toContain('"input" is a constant');
  });

  test("names it where a field is missing", async () => {
    const result = await runProgram("return input.customer.name;", { tools, input: {} });
    expect(!result.ok && result.error.message).toContain("input.customer is undefined (from input)");
  });

  test("keeps it, with its labels, while it is stored", () => {
    const source = "await tools.ask({}); return input.a;";
    const status = startProgram(source, { tools: ["ask"], input: { a: [7] }, inputLabels: { "/a": ["private"] } });
    if (status.status !== "waiting") throw new Error(JSON.stringify(status));
    const state = JSON.parse(JSON.stringify(status.state)) as typeof status.state;
    expect(resumeProgram(state, [{ callId: "0", result: 1 }], { labels: {} })).toMatchObject({ ok: true, value: [7], labels: ["private"] });
  });
});

describe("labels of the input", () => {
  test("hold by JSON Pointer, for what lies below and for nothing beside", async () => {
    const options = { tools, input: { to: "a", text: "b", id: 1 }, inputLabels: { "/text": ["untrusted"] } };
    const result = await runProgram("await tools.send({ to: input.to, text: input.text }); return input.id;", options);
    expect(result.calls[0]?.inputLabels).toEqual({ "/text": ["untrusted"] });
    expect(result.labels).toEqual([]);
    expect((await runProgram("return typeof input;", { ...options, inputLabels: { "": ["private"] } })).labels).toEqual(["private"]);
  });

  test("follow decisions, and results of calls that were given it", async () => {
    const options = { tools, input: { flag: false, box: { n: 0 } }, inputLabels: { "/flag": ["private"] } };
    expect((await runProgram("if (input.flag) input.box.n = 1; return input.box.n;", options)).labels).toEqual(["private"]);
    expect((await runProgram("return await tools.ask({ flag: input.flag });", options)).labels).toEqual(["private"]);
  });
});

describe("a program without an input", () => {
  test("is told so where it uses one", async () => {
    const result = await runProgram("const a = 1;\nreturn input.a;", { tools });
    expect(result).toMatchObject({ ok: false, error: { kind: "thrown", line: 2 } });
    expect(!result.ok && result.error.message).toContain("input is not defined: this program was started without an input");
    expect(await runProgram("return typeof input;", { tools })).toMatchObject({ value: "undefined" });
  });
});

test("an input that is not plain data is a TypeError", async () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  await expect(runProgram("return 1;", { tools, input: circle })).rejects.toThrow("The input contains itself.");
  await expect(runProgram("return 1;", { tools, input: () => 1 })).rejects.toThrow(TypeError);
  expect(() => startProgram("return 1;", { tools: [], input: 1n })).toThrow("The input contains a BigInt");
});

test("an input above the limit of memory ends the program", async () => {
  const result = await runProgram("return 1;", { tools, input: "x".repeat(20_000), limits: { memoryBytes: 10_000 } });
  expect(result).toMatchObject({ ok: false, error: { kind: "limit", limit: "memory" } });
});
