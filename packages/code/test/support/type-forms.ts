/** Statements with types, of every form that programs have. */
export const typeForms: readonly string[] = [
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
