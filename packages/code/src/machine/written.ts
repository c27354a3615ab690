import type { FunctionCode, Unit } from "../compile/code.ts";
import type { Root } from "../labels/effect.ts";
import { filled } from "../lists.ts";
import type { Machine } from "./machine.ts";
import { Env, FunctionValue, isObject, type Reached, type Slot, type Value, type Written } from "./values.ts";

/** Where a function would have been made. */
export interface Making {
  readonly unit: Unit;
  readonly func: FunctionValue | undefined;
  readonly self: readonly Value[];
  /** The environment around it that is there. */
  readonly base: Env | undefined;
  /** What the names may stand for that no environment holds, in their order. */
  readonly held: readonly Reached[];
}

/** A function that a branch would have made, with the environment that it would have had: the same one as long as that is the same. */
export function writtenAt(m: Machine, root: Extract<Root, { kind: "written" }>, { unit, func, self: [self], base, held }: Making): Value {
  const code = functionAt(unit, root.start);
  if (code === undefined) return undefined;
  const holder = code.arrow && isObject(self) ? self : (base ?? m);
  const known = m.written.get(holder) ?? new Map<FunctionCode, Written>();
  m.written.set(holder, known);
  const before = known.get(code);
  if (before !== undefined && before.base === base && before.held.every((reached, at) => isSame(reached, held[at] as Reached)))
    return before.fn;
  const depth = 1 + Math.max(0, ...held.flatMap((reached) => [...reached.keys()].map((object) => depths.get(object) ?? 0)));
  if (depth > deepest) {
    m.isUnlisted = true;
    return undefined;
  }
  m.follow(1 + root.above);
  let env = base;
  for (let level = 0; level < root.above; level++) {
    const own = root.held.flatMap((name, at) => (name.level === level ? [[name.slot, held[at] as Reached] as const] : []));
    env = new Env(env, filled<Slot>(1 + Math.max(-1, ...own.map(([slot]) => slot)), undefined));
    if (own.length > 0) env.maybe = new Map(own);
  }
  const fn = new FunctionValue(unit, code, env, code.arrow ? self : undefined);
  fn.home = func?.home;
  fn.homeStatic = func?.homeStatic ?? false;
  known.set(code, { base, fn, held });
  depths.set(fn, depth);
  return fn;
}

/** Functions that name functions that a branch would have made, as far as they are followed: a recursion may put one into the other without end. */
const deepest = 3;
const depths = new WeakMap<object, number>();

function isSame(a: Reached, b: Reached): boolean {
  if (a.size !== b.size) return false;
  for (const [object, reach] of a) if (b.get(object) !== reach) return false;
  return true;
}

const byStart = new WeakMap<Unit, ReadonlyMap<number, FunctionCode>>();

function functionAt(unit: Unit, start: number): FunctionCode | undefined {
  let known = byStart.get(unit);
  if (known === undefined) {
    const written = unit.functions.filter(({ role }) => role === "function" || role === "method");
    byStart.set(unit, (known = new Map(written.map((code) => [code.start, code]))));
  }
  return known.get(start);
}
