import { tsPlugin } from "@sveltejs/acorn-typescript";
import { Parser, type Options } from "acorn";
import { expect, test } from "vitest";
import { withoutLocations } from "../../src/parse/without-locations.ts";
import { prepareProgram } from "../../src/index.ts";
import { programCases } from "../support/cases.ts";

const forms = [
  "interface A<T> extends B { readonly sku: string; price?: number; [key: string]: unknown; run(a: T): void }",
  "type P = { [K in keyof A]?: A[K] } | readonly [a: string, b?: number] | `x${string}` | (typeof x)['a'] | (A extends infer U ? U : never);",
  "async function load(ids: string[], limit = 3, ...rest: number[]): Promise<A[]> { return ids as any; }",
  "function over(a: string): void; function over(a: number): void; function over(this: any, a?: any): asserts a is string {}",
  "const f = <T,>(x: T): T => x, g = async <T extends string>(x: T): Promise<T> => x;",
  "const h = list.filter((item): item is Item => item !== null).map(({ a, b = 1, ...more }: any) => ({ a, ...more }));",
  "const { a, b: [c = 1, ...d] }: Shape = make<string>(1)!; let v!: number; const s = { a } satisfies Shape;",
  "const t = a < b, u = a < b && c > d, w = test ? (x) : (y), z = test ? (x): number => x : y;",
  "abstract class C<T> extends D<T> implements E { constructor(private readonly x: number, public y = 2) { super(); } static n?: string; abstract m(): void; declare q: string }",
  "enum Color { Red, Green = 'g', Blue = 1 << 2 } const enum Small { A }",
  "for (const [key, value] of Object.entries(map as Record<string, number>)) console.log(`${key}: ${value!.toFixed(2)}`);",
  "let x = y?.a<string>?.(1), k = new Map<string, Set<number>>(), fn: (a: string) => void = (a) => {};",
  "try { run() } catch (error: unknown) { throw error as Error }",
  "declare const given: string; label: for (;;) break label;",
];

test("the tree of a program with types is the one that the parser makes with lines and columns", () => {
  const options: Options = { ecmaVersion: 2024, sourceType: "module", allowAwaitOutsideFunction: true, allowReturnOutsideFunction: true };
  const Located = Parser.extend(tsPlugin());
  const Ours = Parser.extend(tsPlugin(), withoutLocations);
  for (const source of [...forms, ...programCases().programs.map((program) => program.source)]) {
    const tree = (parser: typeof Parser): unknown =>
      JSON.parse(JSON.stringify(parser.parse(source, { ...options }), withoutPlaces)) as unknown;
    expect(tree(Ours), source).toEqual(tree(Located));
  }
});

test("a modifier in the wrong place is told with its own line", () => {
  const source = "const n = 1;\nclass A {\n  readonly static x = 1;\n}\nreturn n;";
  expect(prepareProgram(source).diagnostics).toMatchObject([{ kind: "syntax", line: 3 }]);
});

function withoutPlaces(key: string, value: unknown): unknown {
  return key === "loc" || typeof value === "bigint" ? undefined : value;
}
