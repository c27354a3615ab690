import { describe, expect, test } from "vitest";
import {
  checkChain,
  prepareProgram,
  resumeProgram,
  runProgram,
  startProgram,
  type ProgramLimits,
  type ProgramResult,
} from "../src/index.ts";
import { emptyRegion } from "../src/compile/code.ts";
import { compileSource } from "../src/program/prepare.ts";

const wide: Partial<ProgramLimits> = { steps: 1e9, memoryBytes: 1e9 };

async function run(source: string, limits: Partial<ProgramLimits> = {}): Promise<ProgramResult> {
  return runProgram(source, { tools: {}, limits });
}

async function stepsOf(source: string): Promise<number> {
  const result = await run(source, wide);
  expect(result).toMatchObject({ ok: true });
  return result.steps;
}

describe("groups of a pattern count for each match before they are kept", () => {
  const pattern = `/a|${"()".repeat(9_000)}/g`;

  // `split` ended the process: "Fatal JavaScript invalid size error".
  test.each([
    ["split", `t.split(${pattern})`],
    ["matchAll", `[...t.matchAll(${pattern})]`],
    ["match", `t.match(${pattern})`],
    ["replace", `t.replace(${pattern}, "$1")`],
    ["replace with a function", `t.replace(${pattern}, () => "")`],
    ["exec", `(() => { const p = ${pattern}, all = []; for (;;) all.push(p.exec(t)); })()`],
  ])("%s", async (_name, expression) => {
    const result = await run(`const t = "a".repeat(20_000); return ${expression}.length;`);
    expect(result).toMatchObject({ ok: false, error: { kind: "limit" } });
    expect(!result.ok && ["steps", "memory"].includes(result.error.limit as string)).toBe(true);
  });
});

describe("the length of code counts where it runs again", () => {
  const long = `(${"x, ".repeat(6_400)}x)`;

  test.each([
    ["a for loop", `for (let i = 0; i < N; i++) ${long};`],
    ["a while loop", `let i = 0; while (i++ < N) ${long};`],
    ["a loop that is continued", `let i = 0; while (i++ < N) { ${long}; continue; }`],
    ["a loop over a list", `for (const y of new Array(N).fill(1)) ${long};`],
    ["calls", `const f = () => ${long}; for (let i = 0; i < N; i++) f();`],
    ["calls of a method", `class A { m() { return ${long}; } } const a = new A(); for (let i = 0; i < N; i++) a.m();`],
    ["calls by a built-in function", `new Array(N).fill(1).map(() => ${long});`],
    ["a callback that is awaited", `const f = async () => ${long}; for (let i = 0; i < N; i++) await f();`],
  ])("%s", async (_name, source) => {
    const steps = (rounds: number): Promise<number> => stepsOf(`let x = 1; ${source.replaceAll("N", String(rounds))}`);
    expect((await steps(30)) - (await steps(10))).toBeGreaterThan(20 * 200);
  });

  test("short code costs what its statements do", async () => {
    const steps = (rounds: number): Promise<number> => stepsOf(`let n = 0; for (let i = 0; i < ${rounds}; i++) n += i; return n;`);
    expect((await steps(2_000)) - (await steps(1_000))).toBe(3_000);
  });
});

describe("the work of a pattern counts", () => {
  const characters = Array.from({ length: 9_000 }, (_, at) => String.fromCharCode(0x4e00 + at * 2)).join("");

  test("a class of thousands of characters is searched, not gone through", async () => {
    expect(await run(`return /^[^${characters}]*!/i.test("\u4e01".repeat(500_000));`)).toMatchObject({ ok: true, value: false });
    expect(await run(`return "\u4e00\u4e01\u4e02b".match(/[${characters}a-b]/gi);`)).toMatchObject({ value: ["\u4e00", "\u4e02", "b"] });
  });

  test("groups that are reset at each place count", async () => {
    const steps = (groups: number): Promise<number> => stepsOf(`return /[a]${"()".repeat(groups)}x/.test("b".repeat(2_000));`);
    expect((await steps(9_000)) - (await steps(9))).toBeGreaterThan(2_000 * 200);
  });

  test("a pattern that takes a long text counts while it does", async () => {
    for (const source of ["/^b*$/", "/^(?:(b+)\\\\1)$/"]) {
      const result = await run(`return new RegExp("${source.slice(1, -1)}", "i").test("b".repeat(2_000_000));`, { steps: 100_000 });
      expect(result).toMatchObject({ ok: false, error: { kind: "limit", limit: "steps" } });
      expect(result.steps).toBeLessThan(101_000);
    }
  });

  test("names without an end in a replacement are looked for once", async () => {
    const source = 'const t = "$<".repeat(1_000_000); return "a".replace("a", t).length;';
    expect(await run(source, wide)).toMatchObject({ value: 2_000_000 });
  });

  test("what a replacement makes counts while it is made", async () => {
    const result = await run('return "a".repeat(100_000).replace(/a+/, "$&".repeat(100_000)).length;');
    expect(result).toMatchObject({ ok: false, error: { kind: "limit", limit: "memory" } });
  });
});

test("an error far down in a program costs as much as one at its beginning", async () => {
  const source = `${"\n".repeat(400_000)}let n = 0; for (let i = 0; i < 40_000; i++) { try { null.x; } catch { n++; } }\nreturn n;`;
  expect(await run(source)).toMatchObject({ ok: true, value: 40_000 });
});

describe("places of removed entries are not gone over again", () => {
  const rounds = 150_000;

  test.each([
    [
      "a map that is cleared in each round",
      `const m = new Map(); for (let i = 0; i < ${rounds}; i++) { m.set(i, i); m.clear(); } return m.size;`,
    ],
    [
      "a set from which the first is taken in each round",
      `const s = new Set(); for (let i = 0; i < ${rounds}; i++) { s.add(i); s.add(-i); s.delete(s.values().next().value); } return s.size - ${rounds - 1};`,
    ],
  ])("%s", async (_name, source) => {
    expect(await run(source, wide)).toMatchObject({ ok: true, value: 0 });
  });

  test("an iterator goes on behind what is cleared", async () => {
    const source =
      "const m = new Map([[1, 1], [2, 2]]), seen = []; for (const [k] of m) { seen.push(k); if (k === 1) { m.clear(); m.set(3, 3); } } return seen;";
    expect(await run(source)).toMatchObject({ value: [1, 3] });
  });

  test("places in the middle count", async () => {
    const holes =
      "const s = new Set([-1]); for (let i = 0; i < 64_000; i++) s.add(i); for (let i = 0; i < 64_000; i++) s.delete(i); s.add(-2);";
    const steps = (rounds: number): Promise<number> => stepsOf(`${holes} for (let i = 0; i < ${rounds}; i++) [...s]; return s.size;`);
    expect((await steps(20)) - (await steps(10))).toBeGreaterThan(10 * 1_000);
  });
});

test("an error about a name that is not found counts the names it was compared with", async () => {
  const steps = async (count: number): Promise<number> => {
    const tools = Object.fromEntries(Array.from({ length: count }, (_, at) => [`find_order_${at}`, async () => 1]));
    return (await runProgram("try { tools.find_orders_(); } catch {}", { tools })).steps;
  };
  expect((await steps(1_000)) - (await steps(1))).toBeGreaterThan(250);
});

test("the text of an error counts as a text that is put together", async () => {
  const source =
    'let s = "x".repeat(1_000); const e = new Error(""); for (let i = 0; i < 40; i++) { e.name = e.message = s; s = String(e); } return 1;';
  expect(await run(source)).toMatchObject({ ok: false, error: { kind: "limit", limit: "memory" } });
});

test("classes extend each other 200 levels deep", async () => {
  const source = (count: number): string => `let C = class {}; for (let i = 0; i < ${count}; i++) C = class extends C {}; return 1;`;
  expect(await run(source(200))).toMatchObject({ ok: true });
  const deeper = await run(source(201));
  expect(!deeper.ok && deeper.error.message).toContain("Classes can extend each other at most 200 levels deep.");
});

test("of very many findings the first are told", () => {
  const { diagnostics } = prepareProgram("fetch\n".repeat(8_000));
  expect(diagnostics.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
});

test("a region with very many nodes is taken to write everything", () => {
  const unit = compileSource(`let x = 1; if (x) {${"x;".repeat(40_000)}}`, true);
  if (Array.isArray(unit)) throw new Error("It was refused.");
  expect(unit.regions).toEqual([{ ...emptyRegion, effects: [{ kind: "everything" }] }]);
});

test("regions in regions are looked at as far as the program's budget goes", () => {
  const nested = `${"if (x) {".repeat(130)}${"x = y;".repeat(1_000)}${"}".repeat(130)}`;
  const unit = compileSource(`let x = 1, y = 1; ${nested.repeat(30)}`, true);
  if (Array.isArray(unit)) throw new Error("It was refused.");
  const everything = unit.regions.filter(({ effects }) => effects[0]?.kind === "everything");
  // Without a budget, these are 30 * 130 * 4,000 nodes.
  expect(everything.length).toBeGreaterThan(29 * 130);
  expect(everything.length).toBeLessThan(unit.regions.length);
  const left = { escape: -1, throws: true, awaits: true };
  expect([unit.regions[0], unit.regions.at(-1)]).toMatchObject([{ ...left, escape: 129, throws: false, awaits: false }, left]);
});

test("a schema whose references meet again and again is looked at once", () => {
  const $defs: Record<string, unknown> = { d30: { type: "object", properties: { x: { type: "string" } }, required: ["x"] } };
  for (let at = 0; at < 30; at++) {
    const next = { $ref: `#/$defs/d${at + 1}` };
    $defs[`d${at}`] = at % 3 === 0 ? { allOf: [next, next] } : { [at % 3 === 1 ? "anyOf" : "oneOf"]: [next, next] };
  }
  const inputSchema = { $ref: "#/$defs/d1", $defs };
  const check = (path: string): unknown =>
    checkChain({ steps: [{ id: "a", tool: "t", input: { x: `\${input.${path}}` } }] }, { inputSchema });
  expect(check("x")).toMatchObject({ ok: true });
});

test("a stored program goes on with lists of more than a hundred thousand values", () => {
  const count = 130_000;
  const source = `const s = new Set(), m = new Map(), a = [];
for (let i = 0; i < ${count}; i++) { s.add(i); m.set(i, i); a.push(i); }
await tools.a({});
a.unshift(...a.slice(0, 90_000));
return [s.size, m.get(${count - 1}), a.length];`;
  const started = startProgram(source, { tools: ["a"], limits: wide });
  if (started.status !== "waiting") throw new Error("It does not wait.");
  const answers = [{ callId: "0", result: 1 }];
  expect(resumeProgram(JSON.parse(JSON.stringify(started.state)) as typeof started.state, answers)).toMatchObject({
    ok: true,
    value: [count, count - 1, count + 90_000],
  });
});
