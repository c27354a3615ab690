import { sized } from "@toolrack/testkit/sized";
import { describe, expect, test } from "vitest";
import { runProgram, type LimitName, type ProgramLimits } from "../src/index.ts";

const tools = { get: async () => ({ n: 1 }) };

const bombs: readonly (readonly [string, LimitName, string])[] = [
  ["a loop without an end", "steps", "for (;;);"],
  ["a loop in a catch", "steps", "try { while (true) {} } catch { return 1; } finally { return 2; }"],
  ["functions that await each other", "steps", "const f = async () => { for (;;) await 1; }; await f();"],
  ["a regular expression that backtracks for ever", "steps", 'return /^(\\w+\\s?)*$/.test("a".repeat(60) + "!");'],
  [
    "a search in a search",
    "steps",
    "const a = new Array(50000).fill(1); let n = 0; for (let i = 0; i < 50000; i++) n += a.includes(2) ? 1 : 0; return n;",
  ],
  ["sorting again and again", "steps", "const a = Array.from({ length: 5000 }, (_, i) => i); for (;;) a.sort((x, y) => y - x);"],
  ["joining again and again", "steps", "const a = new Array(10000).fill(1); for (;;) a.join();"],
  ["a text that doubles", "memory", 'let s = "x"; for (;;) s += s;'],
  ["a template that doubles", "memory", "let s = 'x'; for (;;) s = `${s}${s}`;"],
  ["padding", "memory", 'return "x".padStart(1e8);'],
  ["joined texts", "memory", 'return new Array(1000).fill("x".repeat(1e5)).join("");'],
  ["replaced texts", "memory", 'return "a".repeat(1e4).replaceAll("a", "b".repeat(1e4)).length;'],
  ["an array that grows", "memory", "const a = []; for (;;) a.push({ a });"],
  ["a map that grows", "memory", "const m = new Map(); for (let i = 0; ; i++) m.set(i, [i]);"],
  ["JSON that doubles", "memory", "let o = { a: 'x'.repeat(100000) }; for (;;) o = { a: JSON.stringify(o), b: JSON.stringify(o) };"],
  ["spreading", "memory", "let a = [1]; for (;;) a = [...a, ...a];"],
  ["closures", "memory", "let f = () => 0; for (;;) { const g = f; f = () => g; }"],
  ["a recursion without an end", "depth", "const f = () => f(); return f();"],
  ["a recursion through map", "depth", "const f = (x) => [x].map(f); return f(1);"],
  ["a recursion through a class", "depth", "class A { constructor() { new A(); } } return new A();"],
  ["a recursion that catches", "depth", "const f = () => { try { f(); } catch { f(); } }; f();"],
  ["calls one after the other", "calls", "for (;;) await tools.get({});"],
  ["calls at once", "calls", "await Promise.all(Array.from({ length: 100 }, () => tools.get({})));"],
  ["logs", "output", 'for (;;) console.log("x".repeat(100));'],
  ["a value", "output", 'return "x".repeat(100000);'],
];

describe("a program that does not end, grows or floods ends as a limit, which it cannot catch", () => {
  test.each(bombs)("%s: %s", async (_name, limit, source) => {
    const limits: Partial<ProgramLimits> = limit === "memory" ? { memoryBytes: 2e6 } : { steps: 300_000 };
    const ways = [undefined, { get: ["private"] }];
    // In the short form by turns.
    for (const labels of sized([ways[bombs.findIndex(([name]) => name === _name) % 2]], ways)) {
      const result = await runProgram(source, { tools, limits, ...(labels === undefined ? {} : { labels }) });
      expect(result).toMatchObject({ ok: false, error: { kind: "limit", limit } });
    }
  });
});

test("many short-lived texts do not count as held", async () => {
  const result = await runProgram('let s = ""; for (let i = 0; i < 20000; i++) s = ("x" + i).repeat(50); return s.length;', {
    tools,
    limits: { memoryBytes: 1e6 },
  });
  expect(result).toMatchObject({ ok: true, value: 300 });
});

test("tools that are free cost no call from the budget", async () => {
  const source = "for (let i = 0; i < 10; i++) await tools.search({}); return (await tools.get({})).n;";
  const result = await runProgram(source, { tools: { ...tools, search: async () => [] }, limits: { calls: 1 }, freeTools: ["search"] });
  expect(result).toMatchObject({ ok: true, value: 1 });
});

test("a signal ends a program that waits, and one that runs", async () => {
  const waiting = new AbortController();
  const never = runProgram("return await tools.hang({});", { tools: { hang: () => new Promise(() => {}) }, signal: waiting.signal });
  waiting.abort();
  expect(await never).toMatchObject({ ok: false, error: { kind: "limit", limit: "time" } });
  const running = new AbortController();
  const loop = runProgram("for (;;);", { tools: {}, signal: running.signal, limits: { steps: 1e12 } });
  running.abort();
  expect(await loop).toMatchObject({ ok: false, error: { kind: "limit", limit: "time" } });
});

test("exactly as many calls are made as the limit says", async () => {
  const calls = (count: number) => runProgram(`for (let i = 0; i < ${count}; i++) await tools.get({});`, { tools, limits: { calls: 3 } });
  expect(await calls(3)).toMatchObject({ ok: true });
  const over = await calls(4);
  expect(over).toMatchObject({ ok: false, error: { limit: "calls" } });
  expect(over.calls.length).toBe(3);
});

test("objects that a loop lets go of do not count as held", async () => {
  const result = await runProgram("let o; for (let i = 0; i < 30000; i++) o = { i, list: [i] }; return o.i;", {
    tools,
    limits: { memoryBytes: 1e6 },
  });
  expect(result).toMatchObject({ ok: true, value: 29999 });
});

describe("work on long texts costs steps in proportion", () => {
  const before =
    'const a = "x".repeat(200_000) + "a", b = "x".repeat(200_000) + "b", list = [a], map = new Map([[a, 1]]), o = { [a]: 1 };\n';

  test.each([
    "a < b",
    "a === b",
    "a == b",
    "a !== b",
    "Object.is(a, b)",
    "a.localeCompare(b)",
    "list.includes(b)",
    "list.indexOf(b)",
    "list.lastIndexOf(b)",
    "map.get(b)",
    "map.has(b)",
    "map.delete(b)",
    "new Set([a]).has(b)",
    "o[b]",
    "b in o",
    "[b, a].sort()",
    "new Set([a]).union(new Set([b]))",
    'a.indexOf("y")',
    "a.indexOf(b)",
    "a.lastIndexOf(b.slice(100_000))",
    "a.includes(b.slice(100_000))",
    "a.startsWith(b)",
    "a.split(b)",
    'a.replace(b, "")',
    "encodeURIComponent(a)",
    "decodeURIComponent(a)",
    "Number(a)",
    "JSON.parse(JSON.stringify(a))",
    '(a + "y")[5]',
    '(a + "y").charCodeAt(5)',
    "`${a}${b}`.at(5)",
    "parseInt(a)",
    "parseFloat(a)",
    "a.trim()",
    "a.trimStart()",
    "a.trimEnd()",
    "a.toUpperCase()",
    "JSON.stringify(a)",
    "JSON.stringify(o)",
    "JSON.stringify({ [a]: 1 })",
    'a.replace("x", "$<".repeat(100_000))',
  ])("%s", async (expression) => {
    const steps = async (rounds: number): Promise<number> =>
      (await runProgram(`${before}let n = 0; for (let i = 0; i < ${rounds}; i++) n += (${expression}) ? 1 : 0; return n;`, { tools }))
        .steps;
    const rounds = sized(2, 10);
    expect((await steps(2 * rounds)) - (await steps(rounds))).toBeGreaterThan(rounds * 300);
  });

  test("a search that repeats itself does not take the product of both lengths", async () => {
    const source = 'const t = "a".repeat(400_000), w = "a".repeat(50_000) + "b" + "a".repeat(50_000);\n';
    for (const search of ["t.indexOf(w)", "t.lastIndexOf(w)", "t.split(w).length - 2", 't.replace(w, "").length - 400_001'])
      expect(await runProgram(`${source}return ${search};`, { tools })).toMatchObject({ ok: true, value: -1 });
  });
});

test("equal texts are held once", async () => {
  const source = 'const a = []; for (let i = 0; i < 3000; i++) a.push("x".repeat(1000).slice(i % 10)); return a.length;';
  expect(await runProgram(source, { tools, limits: { memoryBytes: 1e6 } })).toMatchObject({ ok: true, value: 3000 });
});

test("a value that would be too long ends before it is made", async () => {
  const result = await runProgram("let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return a;", { tools });
  expect(result).toMatchObject({ ok: false, error: { kind: "limit", limit: "output" } });
});

test("a text that grows when it is encoded counts", async () => {
  const result = await runProgram('return encodeURIComponent("😀".repeat(2e6)).length;', { tools });
  expect(result).toMatchObject({ ok: false, error: { kind: "limit", limit: "memory" } });
});

describe("labels cost about as many steps as none", () => {
  const rows = Array.from({ length: 500 }, (_, id) => ({ id, price: id % 17, tags: ["a"], owner: { id: id % 10 } }));

  test.each([
    "return r.filter((x) => x.price > 5).map((x) => ({ ...x, total: x.price * 2 })).length;",
    "return r.toSorted((a, b) => b.price - a.price)[0].id;",
    "return Object.keys(Object.groupBy(r, (x) => x.owner.id)).length;",
    "const g = {}; for (const x of r) (g[x.owner.id] ??= []).push(x); return Object.keys(g).length;",
    "for (const x of r) { x.note = 1; x.tags.push('b'); } return r.length;",
    "const m = new Map(); for (const x of r) { if (!m.has(x.price)) m.set(x.price, []); m.get(x.price).push(x); } return m.size;",
    "return r.reduce((sum, x) => { sum[x.owner.id] = (sum[x.owner.id] ?? 0) + x.price; return sum; }, {});",
    "const seen = new Set(); const out = []; for (const x of r) { if (seen.has(x.price)) continue; seen.add(x.price); out.push(x); } return out.length;",
  ])("%s", async (source) => {
    const run = async (labels?: Record<string, string[]>): Promise<number> => {
      const program = `const r = await tools.rows({}); ${source}`;
      const result = await runProgram(program, { tools: { rows: async () => rows }, ...(labels === undefined ? {} : { labels }) });
      expect(result.ok).toBe(true);
      return result.steps;
    };
    expect(await run({ rows: ["untrusted"] })).toBeLessThan(4 * (await run()) + 5_000);
  });
});

describe("what a branch that does not run might have done is looked up in few steps", () => {
  const vector = `class V { constructor(x, y) { this.x = x; this.y = y; } add(o) { return new V(this.x + o.x, this.y + o.y); }
    sub(o) { return new V(this.x - o.x, this.y - o.y); } mul(k) { return new V(this.x * k, this.y * k); } div(k) { return new V(this.x / k, this.y / k); }
    neg() { return new V(-this.x, -this.y); } norm() { return this.div(this.len()); } len() { return Math.hypot(this.x, this.y); } swap() { return new V(this.y, this.x); } }`;
  const cases = ["add", "sub", "mul", "div", "pow", "mod", "min", "max"];
  const simplify = `const bin = (t, l, r) => ({ t, l, r }); function simp(e) { switch (e.t) {
    ${cases.map((name) => `case "${name}": return bin("${name}", simp(e.l), simp(e.r));`).join(" ")} default: return { t: "num" }; } }`;

  test.each([
    `${vector} let p = new V(1, 1); if (s) p = p.add(new V(1, 2)).norm(); return p.x > 0;`,
    `${vector} let p = new V(1, 1); for (let i = 0; i < 50; i++) p = s ? p.add(p).mul(0.5) : p.neg(); return p.x > 0;`,
    `${simplify} const tree = bin("add", { t: "num" }, { t: "num" }); const out = s ? simp(tree) : tree; return out.t;`,
    "const pipe = (...fs) => (x) => fs.reduce((a, f) => f(a), x); const clean = pipe((r) => r.filter((x) => x), (r) => r.map((x) => [x]), (r) => r.slice()); let o = []; if (s) o = clean([1]); return o.length;",
    "class Cart { items = []; add(xs) { xs.forEach((x) => this.items.push(x)); return this; } only(f) { const c = new Cart(); c.items = this.items.filter(f); return c; } sum() { return this.items.length; } } if (s) console.log(new Cart().add([1]).only((x) => x).sum()); return 1;",
    "const run = (f) => f(0); const again = (f, n) => (n > 0 ? again((p) => f(p), n - 1) : run(f)); if (s) again(() => 1, 3); return 1;",
    "let go; let p = new Promise((r) => { go = r; }); for (let i = 0; i < 1_500; i++) p = p.then(() => {}); if (s) go(); return 1;",
  ])("%s", async (source) => {
    for (const value of [true, false]) {
      const result = await runProgram(`const s = (await tools.get_flag({})).value; ${source}`, {
        tools: { get_flag: async () => ({ value }) },
        labels: { get_flag: ["secret"] },
      });
      expect(result.ok ? "" : result.error.message).toBe("");
      expect(result.steps).toBeLessThan(60_000);
    }
  });
});
