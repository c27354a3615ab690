import type { FunctionCode, Unit } from "../compile/code.ts";
import type { Root } from "../labels/effect.ts";
import { filled } from "../lists.ts";
import type { Machine } from "./machine.ts";
import { sizes } from "./sizes.ts";
import {
  ArrayValue,
  Env,
  FunctionValue,
  type GuestObject,
  MapValue,
  ObjectValue,
  type Reached,
  type Slot,
  type Value,
  type Written,
} from "./values.ts";

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
  const own = code.arrow ? self : undefined;
  const known = base === undefined ? m.written : (base.written ??= new Map<FunctionCode, Written>());
  const before = known.get(code);
  for (const reached of held) m.follow(1 + reached.size);
  if (before !== undefined && before.fn.self === own && before.held.every((reached, at) => isSame(reached, held[at] as Reached)))
    return before.fn;
  let depth = 1;
  for (const reached of held) for (const object of reached.keys()) depth = Math.max(depth, 1 + depthOf(object));
  if (depth > deepest) {
    m.isUnlisted = true;
    return undefined;
  }
  m.allocate(2 * sizes.func + root.above * sizes.env);
  let env = base;
  for (let level = 0; level < root.above; level++) {
    const names = root.held.flatMap((name, at) => (name.level === level ? [[name.slot, held[at] as Reached] as const] : []));
    env = new Env(env, filled<Slot>(1 + Math.max(-1, ...names.map(([slot]) => slot)), undefined));
    if (names.length > 0) env.maybe = new Map(names);
  }
  const fn = new FunctionValue(unit, code, env, own);
  fn.home = func?.home;
  fn.homeStatic = func?.homeStatic ?? false;
  const made: Written = { fn, depth, held };
  known.set(code, made);
  // One that names nothing that is not there names no other.
  if (env !== undefined && env !== base) env.written = new Map([[code, made]]);
  return fn;
}

/** A list, object, map or set that a branch would have made: one for each place of the text, which holds what any branch would have put into it. */
export function literalAt(m: Machine, { start, of }: Extract<Root, { kind: "literal" }>): GuestObject {
  const known = m.literals.get(start);
  if (known !== undefined) return known;
  const made = of === "list" ? new ArrayValue([]) : of === "object" ? new ObjectValue() : new MapValue(of === "set");
  m.allocate(sizes.map);
  m.literals.set(start, made);
  return made;
}

/** Functions that name functions that a branch would have made, as far as they are followed: a recursion may put one into the other without end. */
const deepest = 3;

function depthOf(object: GuestObject): number {
  const written = object instanceof FunctionValue ? object.env?.written?.get(object.code) : undefined;
  return written?.fn === object ? written.depth : 0;
}

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
