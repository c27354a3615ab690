import { expect, test } from "vitest";
import { fieldsOfType } from "../../src/parse/fields.ts";
import { parseProgram } from "../../src/parse/parse.ts";
import { childrenOf, isNode, type Node } from "../../src/parse/tree.ts";
import { escapeCases, programCases } from "../support/cases.ts";

const more = `
  label: for (const a in b) { if (a) continue label; else break label; }
  for (let i = 0, n = 1; i < n; i++) {} while (x) y(); do { z() } while (x);
  switch (x) { case 1: y(); default: z() }
  try { a() } catch ({ message }) { b() } finally { c() }
  class A extends B { static s = 1; f = 2; [k] = 3; static { go() } constructor() { super() } m() { return super.m() } }
  const { p, [q]: r = 1, ...rest } = o, [s, , ...t] = l; ({ u: v.w, x: [y] } = z);
  const f = async function g(a = 1, ...b) { await a, !b; throw b }, h = (i) => i ?? (j ||= k?.[l](...m)), n = new O(1), c = d ? \`e\${f}\` : -g;
  const K = class extends L {}; x++; ; debugger; delete o[k]; this.x;
`;

/** Told apart from nodes below by their names: types, and what the tree is not made of. */
const notBelow = new Set([
  "loc",
  "typeAnnotation",
  "returnType",
  "typeParameters",
  "typeArguments",
  "superTypeParameters",
  "implements",
  "quasis",
]);

test("the nodes below a node are found, whatever its type is", () => {
  const seen = new Set<string>();
  const missed = new Set<string>();
  for (const source of [more, ...[...programCases().programs, ...escapeCases()].map((row) => row.source)]) {
    const parsed = parseProgram(source);
    if (!("root" in parsed)) continue;
    const waiting: Node[] = [parsed.root];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      seen.add(node.type);
      const below = Object.entries(node).flatMap(([field, value]) =>
        notBelow.has(field) ? [] : ([value].flat() as unknown[]).filter(isNode),
      );
      const found = new Set(childrenOf(node));
      if (found.size !== below.length || below.some((child) => !found.has(child))) missed.add(node.type);
      waiting.push(...below);
    }
  }
  expect([...missed]).toEqual([]);
  expect([...fieldsOfType.keys()].filter((type) => !seen.has(type))).toEqual(["TemplateElement", "LoopTarget"]);
});
