import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/files.mjs";
import { applyMutant, drawMutants } from "../mutation/draw-mutants.mjs";
import { findMutants } from "../mutation/find-mutants.mjs";
import { loadGroups } from "../mutation/groups.mjs";
import { instrument } from "../mutation/instrument.mjs";
import { tryMutants } from "../mutation/try-mutants.mjs";

const changes = (text) =>
  findMutants("a.ts", text).map(({ operator, original, replacement }) => `${operator}: ${original} → ${replacement}`);

describe("the mutants of a source", () => {
  it("are changes of conditions, comparisons, returned values, calls, literals and options", () => {
    expect(changes("if (a < b && !c) stop();")).toEqual([
      "condition: a < b && !c → true",
      "condition: a < b && !c → false",
      "and/or: a < b && !c → a < b || !c",
      "comparison: a < b → a >= b",
      "not: !c → c",
      "call removed: stop() → undefined",
    ]);
    expect(changes("function f() { return 1; }")).toEqual(["return: 1 → 0"]);
    expect(changes("const f = (a: A) => a.b;")).toEqual(["return: a.b → undefined"]);
    expect(changes("const f = (a: A) => a === b;")).toEqual(
      expect.arrayContaining(["return: a === b → true", "return: a === b → false", "comparison: a === b → a !== b"]),
    );
    expect(changes("open({ signal, limit: 3 });")).toEqual([
      "call removed: open({ signal, limit: 3 }) → undefined",
      "option ignored: signal → undefined",
      "literal: 3 → 0",
    ]);
    expect(changes("const ms = options.ms ?? 60;")).toEqual([
      "option ignored: options.ms ?? 60 → 60",
      "option ignored: options.ms → undefined",
      "literal: 60 → 0",
    ]);
    expect(changes('const all = ["a", ""];')).toEqual(['literal: ["a", ""] → []', 'literal: "a" → ""', 'literal: "" → "x"']);
  });

  it("are neither types, imports and texts for people, nor calls of a log", () => {
    expect(changes('import { a } from "a";\nexport type B = "b" | 1;\nconst c = d as "d";\nexport * from "e";')).toEqual([]);
    expect(changes('const message = "Not a name.", b = { description: "short", examples: ["one", "two"] };\nlog.warn("x", 1);')).toEqual(
      [],
    );
    expect(changes("await close;\nsuper.a = b;")).toEqual([]);
  });

  it("stand beside the source, which stays as it is while none is on", () => {
    const text =
      "export const f = (a, b) => ({ sum: g({ a, b }), isMore: a > b && a !== 3 });\nconst g = ({ a, b }) => { return a + b; };\n";
    const mutants = findMutants("a.js", text).map((mutant, index) => ({ id: `m${index}`, ...mutant }));
    expect(mutants.length).toBeGreaterThan(7);
    const written = instrument("a.js", text, mutants, "a.js");
    const load = (source) => new Function(`${source.replace("export const", "var")}; return f(4, 3);`)();
    expect(load(written)).toEqual({ sum: 7, isMore: true });
    for (const mutant of mutants) {
      globalThis.__mutants = { isOn: (id) => id === mutant.id };
      const outcome = (source) => {
        try {
          return load(source);
        } catch (error) {
          return error.message;
        }
      };
      try {
        expect(outcome(written)).toEqual(outcome(applyMutant(text, mutant)));
      } finally {
        delete globalThis.__mutants;
      }
    }
  });
});

describe("drawing", () => {
  const files = loadGroups(["cli"])[0].sources.slice(0, 24);
  const draw = (seed, count = 50) => drawMutants(root, files, { count, seed, group: "cli" });
  const places = (mutants) => mutants.map(({ file, start, replacement }) => `${file} ${start} ${replacement}`);

  it("gives the same mutants for a seed, other ones for another, and each line once before any line twice", () => {
    const first = draw("a");
    expect(first).toHaveLength(50);
    expect(places(draw("a"))).toEqual(places(first));
    expect(places(draw("b"))).not.toEqual(places(first));
    expect(new Set(draw("a", 200).map(({ file, line }) => `${file}:${line}`)).size).toBe(200);
  });

  it("refuses a group that does not exist, and names those that do", () => {
    expect(() => loadGroups(["nowhere"])).toThrow(/no group "nowhere".*server\/http/);
  });
});

describe("a project with a test", () => {
  const source = [
    "export const limit = 3;",
    'export function isFull(count: number, unit = ""): boolean {',
    "  return count >= limit && unit !== undefined;",
    "}",
    "export function half(count: number): number {",
    "  let [rest, halves] = [count, 0];",
    "  while (rest !== 0) {",
    "    rest -= step(2);",
    "    halves++;",
    "  }",
    "  return halves;",
    "}",
    "const step = (size: number): number => size;",
    "export function unused(): number {",
    "  return 1;",
    "}",
  ].join("\n");
  const test = [
    'import { expect, it } from "vitest";',
    'import { half, isFull } from "../src/count.ts";',
    'it("is full at the limit", () => expect([isFull(2), isFull(5)]).toEqual([false, true]));',
    'it("is half", () => expect(half(4)).toBe(2));',
    'it("fails always", () => expect(isFull(9)).toBe(false));',
  ].join("\n");

  it("has the known kills and the known survivors", async () => {
    const folder = temporaryFolder();
    for (const name of ["src", "test"]) mkdirSync(join(folder, name));
    writeFileSync(join(folder, "src/count.ts"), source);
    writeFileSync(join(folder, "test/count.test.ts"), test);
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const wanted = [
      { line: 1, replacement: "0", as: "a limit" },
      { line: 2, replacement: '"x"', as: "a default that nothing depends on" },
      { line: 3, replacement: "count < limit", as: "a comparison" },
      { line: 11, replacement: "undefined", as: "a returned value" },
      { line: 13, replacement: "undefined", as: "a loop without end" },
      { line: 15, replacement: "0", as: "a function without a test" },
    ];
    const all = findMutants("src/count.ts", source);
    const mutants = wanted.map(({ line, replacement, as }) => ({
      id: as,
      file: "src/count.ts",
      ...all.find((mutant) => mutant.line === line && mutant.replacement === replacement),
    }));
    const { outcomes, failing } = await tryMutants({ root: folder, mutants, tests: ["test/count.test.ts"] });
    expect(outcomes.map(({ id, killedBy, reached }) => [id, killedBy === undefined ? "survived" : "killed", reached])).toEqual([
      ["a limit", "killed", true],
      ["a default that nothing depends on", "survived", true],
      ["a comparison", "killed", true],
      ["a returned value", "killed", true],
      ["a loop without end", "killed", true],
      ["a function without a test", "survived", false],
    ]);
    expect(failing).toEqual([expect.stringContaining("fails always")]);
  });
});
