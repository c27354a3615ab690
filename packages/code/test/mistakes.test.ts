import { describe, expect, test } from "vitest";
import { resumeProgram, runProgram, startProgram, type ProgramError, type ProgramState } from "../src/index.ts";

const tools = {
  echo: async (input: unknown) => input,
  bad: async () => {
    throw new Error("the text of a mail");
  },
};

async function failure(source: string): Promise<ProgramError> {
  const result = await runProgram(source, { tools });
  if (result.ok) throw new Error(`It ended with ${JSON.stringify(result.value)}.`);
  return result.error;
}

describe("a message names the line where the program stands", () => {
  test.each([
    ["an await that can never end", "const a = 1;\n\n  await new Promise(() => {});\nreturn 2;", 3],
    ["an await in a function that the program awaits", "const f = async () => {\n  await new Promise(() => {});\n};\nawait f();", 4],
    ["a while loop without an end", "const a = 1;\nfor (let i = 0; i < 3; i++) {\n  while (true) {}\n}", 3],
    ["a do loop without an end", "let a = 1;\na++;\ndo {} while (true);", 3],
    ["a for loop without an end", "let a = 1;\na++;\nfor (;;) {}", 3],
    ["a statement that a limit ends", 'const a = [];\nfor (;;) {\n  const x = 1;\n  a.push("x".repeat(1000) + a.length);\n}', 4],
  ])("%s", async (_what, source, line) => {
    expect(await failure(source)).toMatchObject({ line });
  });
});

test("a named group cannot be a key that objects do not have", async () => {
  expect((await failure('return /(?<__proto__>x)/.exec("x").groups;')).message).toContain('"__proto__" is not available.');
});

test.each([
  ["__proto__", "class A { __proto__() {} }"],
  ["__proto__", 'class A { static ["__proto__"]() {} }'],
  ["prototype", 'class A { static ["proto" + "type"]() {} }'],
])("a member of a class cannot be named %s: %s", async (name, source) => {
  expect((await failure(source)).message).toContain(`A member of a class cannot be named "${name}".`);
});

test.each(["prototype", "__proto__", "constructor"])("%s of a function or a class cannot be set by a computed name", async (name) => {
  for (const made of ["() => 1", "class {}"])
    expect((await failure(`const made = ${made}; const key = "${name}"; made[key] = { x: 1 };`)).message).toContain(
      `"${name}" is not available.`,
    );
});

describe("labels", () => {
  const many = Array.from({ length: 31 }, (_, at) => `l${at}`);

  test("of more than 30 names are refused before anything runs", async () => {
    let called = false;
    const counting = {
      echo: async () => {
        called = true;
      },
    };
    const labels = { echo: many };
    await expect(runProgram("await tools.echo({});", { tools: counting, labels })).rejects.toThrow(/31 different labels.*at most 30/);
    expect(() => startProgram("return 1;", { tools: [], labels: {}, inputLabels: { "": many }, input: 1 })).toThrow(TypeError);
    expect(called).toBe(false);
  });

  test("of a failed call are those that the function gives, and all when it gives none for it", async () => {
    const source = "try { await tools.bad({}); } catch (e) { return e.message; }";
    expect((await runProgram(source, { tools, labels: () => ({ "": ["untrusted"] }) })).labels).toEqual(["untrusted"]);
    const ofResult = (_call: unknown, result: unknown): Record<string, string[]> => ({
      "/id": [(result as { id: string }).id === "" ? "private" : "untrusted"],
    });
    const first = `await tools.echo({ id: "" });\n${source}`;
    expect((await runProgram(first, { tools, labels: ofResult })).labels).toEqual(["private", "untrusted"]);
  });

  test("of a stored program are needed to go on with it", () => {
    const source = "const s = await tools.get({}); await tools.echo({ a: 1 }); return s.n;";
    const first = startProgram(source, { tools: ["get", "echo"], labels: { get: ["secret"] } });
    if (first.status !== "waiting") throw new Error("It does not wait.");
    expect(() => resumeProgram(first.state, [{ callId: "0", result: { n: 1 } }])).toThrow(/was started with labels.*Give labels/);
    const second = resumeProgram(first.state, [{ callId: "0", result: { n: 1 } }], { labels: { get: ["secret"] } });
    if (second.status !== "waiting") throw new Error("It does not wait.");
    expect(resumeProgram(second.state, [{ callId: "1", result: 1 }], { labels: {} })).toMatchObject({ value: 1, labels: ["secret"] });
  });
});

describe("a function of the host that throws", () => {
  const broken = (): never => {
    throw new RangeError("a mistake of the host");
  };

  test.each([
    ["onCall", { onCall: broken }],
    ["labels", { labels: broken }],
    ["now", { now: broken }],
  ])("%s: the mistake comes out, and is not told to the program", async (_name, options) => {
    const source = "try { Date.now(); return await tools.echo({}); } catch (e) { return e.message; }";
    await expect(runProgram(source, { tools, ...options })).rejects.toThrow("a mistake of the host");
  });
});

describe("a stored program that was changed", () => {
  const source = "const o = { a: [1, new Map([[1, { z: 1 }]])], d: new Date(0) }; const t = await tools.echo({ q: 1 }); return [t, o];";
  const started = startProgram(source, { tools: ["echo"], labels: { echo: ["secret"] } });
  if (started.status !== "waiting") throw new Error("It does not wait.");
  const stored = JSON.stringify(started.state);
  const answers = [{ callId: "0", result: { q: 1 } }];
  const options = { labels: { echo: ["secret"] } };

  test.each<[string, (state: Record<string, unknown>) => void]>([
    ["its limits", (state) => void (state.limits = { ...(state.limits as object), steps: 1e12 })],
    ["its labels", (state) => void (state.labelNames = ["other"])],
    ["its heap", (state) => void ((state.heap as unknown[])[0] = ["K"])],
    ["its heap, gone", (state) => void (state.heap = null)],
    ["its roots", (state) => void ((state.roots as { steps: number }).steps = 1)],
  ])("%s: is refused with one message", (_what, change) => {
    const state = JSON.parse(stored) as Record<string, unknown>;
    change(state);
    expect(() => resumeProgram(state as unknown as ProgramState, answers, options)).toThrow(
      new TypeError("The stored program is damaged: it is not as it was written. Start it again."),
    );
  });

  test.each([[null], ["text"], [{}], [[]]])("%j is no stored program", (state) => {
    expect(() => resumeProgram(state as unknown as ProgramState, answers, options)).toThrow(TypeError);
  });

  test("only in what it may call goes on", () => {
    const state = { ...(JSON.parse(stored) as ProgramState), tools: ["other"] };
    const status = resumeProgram(state, answers, options);
    expect(status).toMatchObject({ status: "done", ok: true });
  });

  test("only in the order of its keys goes on", () => {
    const turned = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(turned)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(Object.entries(value).toReversed().map(([key, item]) => [key, turned(item)])) // prettier-ignore
          : value;
    expect(resumeProgram(turned(JSON.parse(stored)) as ProgramState, answers, options)).toMatchObject({ status: "done", ok: true });
  });
});

describe("what is not data", () => {
  test.each([
    ["an error", new Error("inside"), "an Error. Throw it instead."],
    ["a symbol", Symbol("s"), "a symbol"],
    ["a function", () => 1, "a function"],
  ])("%s as the answer of a tool fails the call", async (_what, answer, text) => {
    const result = await runProgram("return await tools.get({});", { tools: { get: async () => answer } });
    expect(result).toMatchObject({ ok: false, error: { kind: "tool" } });
    expect(!result.ok && result.error.message).toContain(text);
  });

  test("a function as the value of a program is null, with a warning", async () => {
    const result = await runProgram("async function main() { return 1; }\nreturn main;", { tools });
    expect(result).toMatchObject({ ok: true, value: null });
    expect(result.warnings[0]).toContain("is a function");
  });

  test.each([
    ["", "the text ends too early"],
    ["{oops", 'unexpected "o" at position 1'],
    ["[1,]", 'unexpected "]" at position 3'],
    ['{"a":1,}', 'unexpected "}" at position 7'],
    ['{"a" 1}', 'unexpected "1" at position 5'],
    ["[1 2]", 'unexpected "2" at position 3'],
    ['["a\nb"]', "at position 3"],
    ['["\\x"]', 'unexpected "x" at position 3'],
    ["tru", "the text ends too early"],
    ["truth", 'unexpected "t" at position 3'],
    ["01", 'unexpected "1" at position 1'],
    ["1.", "the text ends too early"],
    ["-", "the text ends too early"],
    ["[1]x", 'unexpected "x" at position 3'],
    ['{"a":{"b":[1,{"c":}]}}', 'unexpected "}" at position 18'],
  ])("JSON.parse says where %j stops being JSON", async (text, message) => {
    const { message: said } = await failure(`return JSON.parse(${JSON.stringify(text)});`);
    expect(said).toContain("SyntaxError: The text is not JSON: ");
    expect(said).toContain(message);
  });
});

test.each([
  "declare const q: number; import type { X } from 'y'; return 1;",
  "import type X from 'y'; import type { Z } from 'z';\nreturn 1;",
])("types of modules are dropped: %s", async (source) => {
  expect(await runProgram(source, { tools })).toMatchObject({ ok: true, value: 1 });
});
