import { anyMember, awaited, inherited, type Root, type Way } from "../labels/effect.ts";
import { answersMember, answersReceiver } from "../labels/mutators.ts";
import type { Unit } from "../compile/code.ts";
import { append } from "../lists.ts";
import type { Machine } from "./machine.ts";
import {
  absentObjects,
  addNext,
  allBelow,
  anyMemberOf,
  expand,
  hintsOf,
  inheritedAt,
  isAbsentAt,
  isShared,
  itself,
  itsMembers,
  mayHold,
  memberAt,
  membersOf,
  reachable,
} from "./reach.ts";
import { literalAt, writtenAt } from "./written.ts";
import {
  type ClassParts,
  FunctionValue,
  isObject,
  ObjectValue,
  PromiseValue,
  StandIn,
  unset,
  type Env,
  type Frame,
  type GuestObject,
  type Reached,
  type Slot,
  type Value,
} from "./values.ts";

/** Where the roots of effects are found. */
export interface EffectScope {
  readonly frame: Frame | undefined;
  readonly func: FunctionValue | undefined;
  readonly unit: Unit;
  readonly env: (hops: number) => Env | undefined;
  readonly self: readonly Value[];
  /** For each parameter the values that it may have. */
  readonly args: readonly (readonly Value[])[];
  /** The same for any parameter after those. */
  readonly more: readonly Value[];
}

export function scopeOfFrame(frame: Frame): EffectScope {
  const { func, unit } = frame;
  const env = (hops: number): Env | undefined => envAt(frame.env, hops);
  return { frame, func, unit, env, self: [plain(frame.self)], args: frame.args.map((value) => [value]), more: [] };
}

/** Seen from the callers of a function: its own environment, if it has one, lies between its body and the rest. */
export function scopeOfFunction(
  fn: FunctionValue,
  self: readonly Value[],
  args: readonly (readonly Value[])[],
  more: readonly Value[] = [],
): EffectScope {
  const own = fn.code.ownEnvironment ? 1 : 0;
  return {
    frame: undefined,
    func: fn,
    unit: fn.unit,
    env: (hops) => (hops < own ? undefined : envAt(fn.env, hops - own)),
    self: fn.code.arrow ? [plain(fn.self)] : self,
    args,
    more,
  };
}

/** What a way leads to: values, and those of which anything that can be reached counts. */
interface Found {
  values: GuestObject[];
  readonly below: GuestObject[];
}

export function objectsIn(m: Machine, { values, below }: Found): GuestObject[] {
  return below.length === 0 ? values : [...new Set([...values, ...reachable(m, below)])];
}

/** What a function is given: an object that is made on the spot stands for all that it may hold, under any key. */
export function givenIn(m: Machine, found: Found): GuestObject[] {
  const objects = objectsIn(m, found);
  if (found.below.length === 0) return objects;
  m.follow(found.below.length);
  const held = new Set(found.below.flatMap((object) => (object instanceof StandIn ? [...(object.hints?.maybe?.keys() ?? [])] : [object])));
  for (const known of m.standIns) {
    const { maybe } = hintsOf(known);
    if (maybe?.size !== held.size) continue;
    m.follow(held.size);
    if ([...held].every((object) => maybe.has(object))) return [...objects, known];
  }
  if (m.standIns.length >= maximumStandIns) {
    m.isUnlisted = true;
    return objects;
  }
  const made = new StandIn();
  hintsOf(made).maybe = new Map([...held].map((object) => [object, allBelow]));
  m.standIns.push(made);
  return [...objects, made];
}

const maximumStandIns = 32;

function atRoot(m: Machine, scope: EffectScope, root: Root): Found {
  if (root.kind === "result") return resultOf(m, scope, root);
  return { values: rootValues(m, scope, root).filter((value): value is GuestObject => value !== unset && isObject(value)), below: [] };
}

function rootValues(m: Machine, scope: EffectScope, root: Exclude<Root, { kind: "result" }>): readonly Slot[] {
  if (root.kind === "unlisted") {
    m.isUnlisted = true;
    return [];
  }
  if (root.kind === "input") return [m.input?.value];
  if (root.kind === "this") return scope.self;
  if (root.kind === "param")
    return root.rest === true ? [...scope.args.slice(root.index).flat(), ...scope.more] : (scope.args[root.index] ?? scope.more);
  if (root.kind === "global") return [m.natives.globals.get(root.name)];
  if (root.kind === "parent") {
    const cls = scope.func?.home?.cls;
    return [cls?.parent, cls?.fields];
  }
  if (root.kind === "literal") return scope.unit.builtin ? [] : [literalAt(m, root)];
  if (root.kind === "written") {
    const held = root.held.map(({ values }): Reached => new Map(targetsAt(m, scope, values)));
    return [writtenAt(m, root, { ...scope, base: scope.env(root.hops), held })];
  }
  const holder = root.kind === "local" ? scope.frame : scope.env(root.hops);
  if (holder === undefined) return [];
  const isLocal = root.kind === "local";
  const current = isLocal ? (holder as Frame).locals[root.slot] : (holder as Env).slots[root.slot];
  const label = isLocal ? (holder as Frame).localLabels[root.slot] : (holder as Env).labels?.[root.slot];
  const maybe = holder.maybe?.get(root.slot);
  const values: readonly Slot[] = maybe === undefined ? [current] : [current, ...expand(m, maybe)];
  if (label === undefined || label === 0 || current === unset || (isObject(current) && !isShared(current))) return values;
  return [...values, ...absentObjects(m)];
}

const maximumDepth = 6;

/** What a call may answer, from the functions that are there now. */
function resultOf(m: Machine, scope: EffectScope, root: Extract<Root, { kind: "result" }>): Found {
  // What these are might be others by choice: that is asked of the answers.
  const all = (ways: readonly Way[]): Found => together(ways.map((way) => follow(m, scope, way, false)));
  const self = all(root.self);
  const args = root.args.map(all);
  const { method } = root;
  const callee = all(root.callee);
  const callees = method === undefined ? objectsIn(m, callee) : objectsIn(m, self).flatMap((one) => stepFrom(m, one, method));
  const functions = callees.filter((callee): callee is FunctionValue => callee instanceof FunctionValue);
  const selves = objectsIn(m, self);
  const lists = args.slice(0, root.spread).map((found) => givenIn(m, found));
  const more = root.spread === undefined ? [] : args.slice(root.spread).flatMap((found) => givenIn(m, found));
  const answers = functions.map((fn) => answersOf(m, fn, selves, lists, false, more));
  if (functions.length > 0 && self.below.length + callee.below.length === 0) return together(answers);
  // A built-in function answers a member of its receiver, or what is made of such members, its arguments, and the answers of functions among them.
  if (method !== undefined && answersMember.has(method))
    return together([{ values: self.values.flatMap((one) => membersOf(m, one)), below: self.below }, ...answers]);
  const given = [...new Set([...callees, ...selves, ...lists.flat(), ...more])];
  const callbacks = given.filter((one): one is FunctionValue => one instanceof FunctionValue && !functions.includes(one));
  const parts = method === undefined || method === anyMember || answersReceiver.has(method) ? given : [...lists.flat(), ...more];
  const below = [...parts, ...self.below, ...self.values.flatMap((one) => membersOf(m, one))];
  return together([
    { values: [], below },
    ...answers,
    ...callbacks.map((fn) => asBelow(answersOf(m, fn, [], [given, given, given, given]))),
  ]);
}

function together(all: readonly Found[]): Found {
  if (all.length === 1) return all[0] as Found;
  return { values: [...new Set(all.flatMap(({ values }) => values))], below: [...new Set(all.flatMap(({ below }) => below))] };
}

/** What a function may answer; `gives`: and what it may give to others. */
function answersOf(
  m: Machine,
  fn: FunctionValue,
  self: readonly Value[],
  args: readonly (readonly Value[])[],
  gives = true,
  more: readonly Value[] = [],
): Found {
  if (m.answerDepth === 0) {
    m.answers = 0;
    m.named.clear();
  }
  if (m.answerDepth >= maximumDepth || m.answers >= maximumAnswers) return anythingOf(m, fn, [...self, ...args.flat(), ...more]);
  m.answerDepth++;
  m.answers++;
  m.follow(answerWork);
  try {
    const scope = scopeOfFunction(fn, self, args, more);
    const ways = [...fn.code.returns, ...(gives && !fn.unit.builtin ? fn.code.gives : [])];
    const found = together(ways.map((way) => follow(m, scope, way, false)));
    return fn.cls === undefined ? found : together([found, instanceOf(m, fn, args)]);
  } finally {
    m.answerDepth--;
  }
}

/** How many functions are looked into for one value, and the work of each. */
const maximumAnswers = 60;
const answerWork = 64;

function anythingOf(m: Machine, fn: FunctionValue, given: readonly Value[]): Found {
  if (m.answers > 2 * maximumAnswers) {
    m.isUnlisted = true;
    return { values: [], below: [] };
  }
  m.answers++;
  const named = m.named.get(fn) ?? namedBy(m, fn);
  m.named.set(fn, named);
  return { values: [], below: [...named, ...given.filter(isObject)] };
}

/** An instance of a class that a branch would have made, with what it may hold. Its methods are found through its class. */
function instanceOf(m: Machine, cls: FunctionValue, args: readonly (readonly Value[])[]): Found {
  const parts = cls.cls as ClassParts;
  const { fields, parent } = parts;
  const instance = (parts.instance ??= new ObjectValue());
  instance.cls = cls;
  // An instance that makes another one of its class.
  if (m.making.has(cls)) return { values: [instance], below: [] };
  m.making.add(cls);
  const given = args.flat().filter(isObject);
  const any = [given, given, given, given];
  const found: Found[] = [{ values: [], below: given }];
  for (const fn of fields === undefined ? [cls] : [cls, fields]) {
    const scope = scopeOfFunction(fn, [], any);
    for (const effect of fn.code.effects) {
      if (effect.kind === "everything") m.isUnlisted = true;
      else if (effect.kind === "write") for (const way of effect.values) found.push(asBelow(follow(m, scope, way, false)));
    }
  }
  for (const one of [fields, parent]) if (one instanceof FunctionValue) found.push(asBelow(answersOf(m, one, [], any)));
  m.making.delete(cls);
  const { below } = together(found);
  for (const object of below) mayHold(m, instance, object, allBelow);
  return { values: [instance], below };
}

function asBelow({ values, below }: Found): Found {
  return { values: [], below: [...values, ...below] };
}

/** All that a function could name, and what functions among that could. */
function namedBy(m: Machine, fn: FunctionValue): GuestObject[] {
  const seen = new Set<GuestObject>([fn]);
  const known = new Set<Env>();
  for (const object of seen) {
    addNext(m, seen, object);
    if (!(object instanceof FunctionValue)) continue;
    if (object.self !== unset && isObject(object.self)) seen.add(object.self);
    for (let env = object.env; env !== undefined && !known.has(env); env = env.parent) {
      known.add(env);
      m.follow(env.slots.length);
      for (const value of env.slots) if (value !== unset && isObject(value)) seen.add(value);
      for (const reached of env.maybe?.values() ?? []) for (const value of expand(m, reached)) seen.add(value);
    }
  }
  return [...seen];
}

/** The objects that a way leads to now. */
export function valuesAt(m: Machine, scope: EffectScope, way: Way): GuestObject[] {
  return objectsIn(m, follow(m, scope, way, true));
}

/** Follows a way from its root. `chosen`: also what references that labels chose might have led to. */
export function follow(m: Machine, scope: EffectScope, { root, path, deep }: Way, chosen: boolean): Found {
  const found = stepAlong(m, atRoot(m, scope, root), path, chosen);
  return deep ? asBelow(found) : found;
}

function stepAlong(m: Machine, { values: from, below: any }: Found, path: readonly string[], chosen: boolean): Found {
  const others = (found: GuestObject[]): GuestObject[] => (chosen ? withOthers(m, found) : [...new Set(found)]);
  let values = others(from);
  const below = others(any);
  for (const key of path) {
    m.follow(1);
    if (key === awaited) {
      const ends = together([...values, ...reachable(m, below)].map((value) => settled(m, value)));
      values = others(ends.values);
      append(below, ends.below);
    } else {
      const isAbsent = m.absent.size > 0 && key !== anyMember && values.some((value) => isAbsentAt(m, value, key));
      const next = values.flatMap((value) => stepFrom(m, value, key));
      values = others(isAbsent ? [...next, ...absentObjects(m)] : next);
    }
  }
  return { values, below };
}

function stepFrom(m: Machine, value: GuestObject, key: string): GuestObject[] {
  if (key.startsWith(inherited)) return inheritedAt(m, value, key.slice(inherited.length));
  return key === anyMember ? anyMemberOf(m, value) : memberAt(m, value, key);
}

/** A reference that a label chose might have led elsewhere. */
export function withOthers(m: Machine, values: GuestObject[]): GuestObject[] {
  if (!values.some(({ hints }) => hints?.instead !== undefined)) return [...new Set(values)];
  // Members of one list mostly share what they might have been: it is looked up once. What that is may have been chosen, too.
  const others: Reached = new Map();
  const found = new Set(values);
  for (const { hints } of found) {
    for (const [other, reach] of hints?.instead ?? []) {
      const known = others.get(other) ?? 0;
      if ((reach & ~known) === 0) continue;
      others.set(other, known | reach);
      for (const one of expand(m, new Map([[other, reach]]))) found.add(one);
    }
  }
  return [...found];
}

/** The same without looking further than is needed: what ways lead to is looked up when it matters. */
export function targetsAt(m: Machine, scope: EffectScope, ways: readonly Way[]): [GuestObject, number][] {
  return ways.flatMap(({ root, path, deep }): [GuestObject, number][] => {
    const members = !deep && path.at(-1) === anyMember;
    const { values, below } = stepAlong(m, atRoot(m, scope, root), members ? path.slice(0, -1) : path, false);
    const reach = deep ? allBelow : members ? itsMembers : itself;
    return [
      ...values.map((value): [GuestObject, number] => [value, reach]),
      ...below.map((value): [GuestObject, number] => [value, allBelow]),
    ];
  });
}

/** What `await` gives, as far as it is known. */
function settled(m: Machine, value: GuestObject): Found {
  if (!(value instanceof PromiseValue)) return { values: [value], below: [] };
  if (value.state !== "pending") return { values: isObject(value.value) ? [value.value] : [], below: [] };
  const { frame } = value;
  // What a call of a tool answers is new.
  if (value.call !== undefined) return { values: [], below: [] };
  if (frame?.func === undefined) {
    m.isUnlisted = true;
    return { values: [], below: [] };
  }
  return answersOf(m, frame.func, [plain(frame.self)], frame.args.map((argument) => [argument])); // prettier-ignore
}

export function plain(value: Slot): Value {
  return value === unset ? undefined : value;
}

export function envAt(env: Env | undefined, hops: number): Env | undefined {
  let at = env;
  for (let hop = 0; hop < hops; hop++) at = at?.parent;
  return at;
}
