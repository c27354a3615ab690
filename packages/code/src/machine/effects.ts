import type { Effect, Mutation, Way } from "../labels/effect.ts";
import { callsBack, goesOver, methodMutation, takesPattern } from "../labels/mutators.ts";
import { promiseMethods } from "../labels/nodes.ts";
import { append, filled } from "../lists.ts";
import type { Machine } from "./machine.ts";
import { carryOn, raiseForThrow, withinEffort } from "./raise.ts";
import { absentObjects, expand, hintsOf, itself, itsMembers, mayHold, mightBe, note, reachable } from "./reach.ts";
import { isWrittenBy, taintObject } from "./taint.ts";
import { follow, givenIn, objectsIn, plain, scopeOfFunction, targetsAt, valuesAt, withOthers, type EffectScope } from "./ways.ts";
import {
  FunctionValue,
  isObject,
  IteratorValue,
  NativeValue,
  PromiseValue,
  RegExpValue,
  ResolverValue,
  unset,
  type Env,
  type Frame,
  type GuestObject,
  type Reached,
  type Slot,
  type Value,
} from "./values.ts";

/** How effects are applied. */
export interface Applying {
  readonly label: number;
  /** What was written may be written again at a time that the label decides: assignments do not take it away. */
  readonly stays?: boolean;
  /** What functions throw is caught in the branch. */
  readonly caught?: boolean;
  readonly done: Done;
}

/** What was applied: promises, and functions with the values that each parameter (`this` as -1, any further one as -2) had. */
export type Done = Map<object, Map<number, Set<Value>>>;

/** Whether something is new in a call of a function; notes it. */
function isNew(
  { done, stays }: Applying,
  fn: object,
  self: readonly Value[],
  args: readonly (readonly Value[])[],
  more: readonly Value[] = [],
): boolean {
  const known = done.get(fn) ?? new Map<number, Set<Value>>();
  done.set(fn, known);
  // What was applied for the present was not applied for what comes later.
  const offset = stays === true ? laterOffset : 0;
  let found = !known.has(offset - 1);
  for (const [index, values] of [[-2, more] as const, [-1, self] as const, ...args.entries()]) {
    const at = offset + index;
    const before = known.get(at) ?? new Set<Value>();
    known.set(at, before);
    for (const value of values) {
      if (before.has(value)) continue;
      before.add(value);
      found ||= isObject(value);
    }
  }
  return found;
}

const laterOffset = 1_000_000;

/** Gives the label to everything that the effects name. */
export function applyEffects(m: Machine, scope: EffectScope, effects: readonly Effect[], how: Applying): void {
  if (effects.length === 0) return;
  if (m.isApplying) return applyOnce(m, scope, effects, how);
  m.isApplying = true;
  try {
    withinEffort(m, how.label, () => applyAll(m, scope, effects, how));
  } finally {
    m.isApplying = false;
    m.standIns.length = 0;
  }
}

/** What one part of a branch puts somewhere another one may write: again, until nothing new is found. */
function applyAll(m: Machine, scope: EffectScope, effects: readonly Effect[], how: Applying): void {
  for (let round = 0; ; round++) {
    const { noted } = m;
    applyOnce(m, scope, effects, { ...how, done: new Map() });
    if (m.noted === noted) return;
    if (round === maximumRounds) return carryOn(m, how.label);
  }
}

const maximumRounds = 6;

function applyOnce(m: Machine, scope: EffectScope, effects: readonly Effect[], how: Applying): void {
  // First what may be held where, since later parts of the branch may write through that.
  for (const effect of effects) {
    if (effect.kind === "variable" && effect.values.length > 0) holdInVariable(m, scope, effect, how.label);
    if (effect.kind !== "write" || effect.values.length === 0) continue;
    const held = targetsAt(m, scope, effect.values);
    if (held.length === 0) continue;
    for (const value of valuesAt(m, scope, effect.on))
      if (isWrittenBy(value, effect)) for (const [one, reach] of held) mayHold(m, value, one, reach);
  }
  for (const effect of effects) {
    const when: Applying = effect.late === true ? { ...how, stays: true } : how;
    if (effect.kind === "variable") joinVariable(scope, effect, when);
    else if (effect.kind === "write") {
      for (const value of valuesAt(m, scope, effect.on)) taintObject(value, when.stays === true ? lasting(effect) : effect, how.label);
    } else if (effect.kind === "call") applyCall(m, scope, effect, when);
    else carryOn(m, how.label);
  }
  carryUnlisted(m, how.label);
}

/** What a label decided could not be listed. */
function carryUnlisted(m: Machine, label: number): void {
  if (!m.isUnlisted) return;
  m.isUnlisted = false;
  carryOn(m, label);
}

function applyCall(m: Machine, scope: EffectScope, effect: Extract<Effect, { kind: "call" }>, how: Applying): void {
  const callees = calleesAt(m, scope, effect);
  if (callees.length === 0) return;
  const self = effect.self.flatMap((way) => valuesAt(m, scope, way));
  const all: Value[][] = effect.args.map((ways) => ways.flatMap((way) => givenIn(m, follow(m, scope, way, true))));
  const given = effect.any === true ? reachable(m, all.flat().filter(isObject)) : [];
  const args = effect.any === true ? [given, given, given, given] : all.slice(0, effect.spread);
  const more = effect.spread === undefined ? [] : all.slice(effect.spread).flat();
  for (const callee of callees) {
    if (callee instanceof ResolverValue) taintPromise(m, callee.promise, how);
    else if (callee instanceof NativeValue)
      applyNative(m, callee, effect.any === true ? given : self, args.concat(more.length === 0 ? [] : [more, more, more]), how); // prettier-ignore
    else if (callee instanceof FunctionValue) {
      const inner = effect.caught === true ? { ...how, caught: true } : how;
      applyFunction(m, callee, self, args, inner, more);
      if (callee.code.throws && inner.caught !== true && m.frame !== undefined) raiseForThrow(m.frame, how.label);
    }
  }
}

/** The functions that a way leads to. Anything that is given to a function is looked at, so what is no function is not followed further. */
function calleesAt(m: Machine, scope: EffectScope, { callee: way, any }: Extract<Effect, { kind: "call" }>): GuestObject[] {
  const functions = objectsIn(m, follow(m, scope, way, false)).filter(
    (value) => value instanceof FunctionValue || value instanceof ResolverValue || value instanceof NativeValue,
  );
  // What a method of the language does is known from the name that it is called by.
  const name = any === true ? undefined : way.path.at(-1);
  return withOthers(m, functions).filter((callee) =>
    callee instanceof NativeValue ? nativeName(callee) !== name : callee instanceof ResolverValue || doesSomething(callee),
  );
}

/** Whether a call of a function may write anything outside of it, or throw; most that are given to built-in functions do not. */
function doesSomething(callee: Value): boolean {
  if (!(callee instanceof FunctionValue)) return false;
  const { effects, throws } = callee.code;
  return effects.length > 0 || throws || callee.cls?.fields !== undefined || doesSomething(callee.cls?.parent);
}

/** A promise may be settled or not: what waits for it may go on or not. */
export function taintPromise(m: Machine, promise: PromiseValue, now: Applying): void {
  const how: Applying = { ...now, stays: true };
  if (!isNew(how, promise, [], [])) return;
  // What waits for it may wait for others in turn, in a chain of thousands.
  const waiting = [promise];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at !== promise && !isNew(how, at, [], [])) continue;
    m.follow(1);
    at.label |= how.label;
    at.settledBy |= how.label;
    at.timing |= how.label;
    for (const reaction of at.reactions) {
      if (reaction.kind === "resume") {
        taintFrame(m, reaction.frame, how);
        if (reaction.frame.promise !== undefined) waiting.push(reaction.frame.promise);
        continue;
      }
      waiting.push(reaction.result);
      if (reaction.kind !== "then") continue;
      for (const callback of [reaction.fulfilled, reaction.rejected])
        if (callback instanceof FunctionValue) applyFunction(m, callback, [], [], how);
    }
  }
}

function taintFrame(m: Machine, frame: Frame, how: Applying): void {
  frame.context |= how.label;
  frame.timing |= how.label;
  for (let at = 0; at < frame.contexts.length; at++) frame.contexts[at] = (frame.contexts[at] as number) | how.label;
  applyFrameEffects(m, frame, how);
}

/** What the function of a frame may write elsewhere. */
export function applyFrameEffects(m: Machine, frame: Frame, how: Applying): void {
  if (frame.func === undefined || frame.fn.effects.length === 0) return;
  const scope = scopeOfFunction(frame.func, [plain(frame.self)], frame.args.map((value) => [value])); // prettier-ignore
  applyEffects(m, scope, frame.fn.effects, how);
}

export function applyFunction(
  m: Machine,
  fn: FunctionValue,
  self: readonly Value[],
  args: readonly (readonly Value[])[],
  how: Applying,
  more: readonly Value[] = [],
): void {
  if (!isNew(how, fn, self, args, more)) return;
  m.follow(1 + self.length + more.length + args.reduce((sum, values) => sum + values.length, 0));
  if (m.effectDepth > deepest) return carryOn(m, how.label);
  m.effectDepth++;
  // What an async function writes after it waited comes at a time of its own.
  applyEffects(m, scopeOfFunction(fn, self, args, more), fn.code.effects, fn.code.async ? { ...how, stays: true } : how);
  if (fn.cls?.fields !== undefined) applyFunction(m, fn.cls.fields, self, args, how, more);
  if (fn.cls?.parent instanceof FunctionValue) applyFunction(m, fn.cls.parent, self, args, how, more);
  m.effectDepth--;
}

/** Functions that call functions, as far as they are followed. */
const deepest = 200;

/** What a function of the language may write that is called through a value. */
export function applyNative(m: Machine, fn: NativeValue, self: readonly Value[], args: readonly (readonly Value[])[], how: Applying): void {
  const name = nativeName(fn);
  const mutation = methodMutation(name);
  if (mutation !== undefined) for (const value of self) if (isObject(value)) writeByNative(m, value, mutation, args.flat(), how);
  if (fn.name === "Object.assign" || fn.name === "Object.freeze") {
    const [first = [], ...rest] = args;
    const write = fn.name === "Object.freeze" ? { freezes: true } : {};
    for (const value of first) if (isObject(value)) writeByNative(m, value, write, rest.flat(), how, itsMembers);
  }
  const moves = takesPattern.has(name) || goesOver.has(name);
  if (moves)
    for (const value of args.flat()) if (value instanceof IteratorValue || value instanceof RegExpValue) taintObject(value, {}, how.label);
  if (!callsBack.has(name)) return;
  const when: Applying = promiseMethods.has(name) ? { ...how, stays: true } : how;
  const given = reachable(m, [...self, ...args.flat()].filter(isObject));
  for (const value of args.flat()) {
    if (value instanceof FunctionValue) applyFunction(m, value, [], [given, given, given, given], when);
    else if (value instanceof ResolverValue) taintPromise(m, value.promise, how);
  }
}

/** A write that comes at some time: what is written before or after it takes nothing away. */
function lasting(write: Mutation): Mutation {
  return write.freezes === true || write.iterates === true ? write : { builtIn: write.builtIn === true };
}

function writeByNative(
  m: Machine,
  on: GuestObject,
  write: Mutation,
  values: readonly Value[],
  how: Applying,
  reach: number = itself,
): void {
  for (const value of values) mayHold(m, on, value, reach);
  taintObject(on, how.stays === true ? lasting(write) : write, how.label);
}

/** "Array.prototype.push" → "push". */
export function nativeName({ name }: NativeValue): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function joinLocal(frame: Frame, slot: number, label: number): void {
  frame.localLabels[slot] = (frame.localLabels[slot] as number) | label;
}

function joinEnv(env: Env, slot: number, how: Applying): void {
  env.labels ??= filled<number>(env.slots.length, 0);
  env.labels[slot] = (env.labels[slot] as number) | how.label;
  if (how.stays !== true) return;
  env.floor ??= filled<number>(env.slots.length, 0);
  env.floor[slot] = (env.floor[slot] as number) | how.label;
}

type VariableEffect = Extract<Effect, { kind: "variable" }>;

/** Where a variable is held. */
type Place = { readonly slot: number } & ({ readonly frame: Frame } | { readonly env: Env });

function placeOf(scope: EffectScope, root: VariableEffect["root"]): Place | undefined {
  if (root.kind === "local") return scope.frame && { slot: root.slot, frame: scope.frame };
  if (root.kind !== "env") return undefined;
  const env = scope.env(root.hops);
  return env && { slot: root.slot, env };
}

function joinVariable(scope: EffectScope, { root }: VariableEffect, how: Applying): void {
  const place = placeOf(scope, root);
  if (place === undefined) return;
  if ("frame" in place) joinLocal(place.frame, place.slot, how.label);
  else if (place.slot < place.env.slots.length) joinEnv(place.env, place.slot, how);
}

function holdInVariable(m: Machine, scope: EffectScope, effect: VariableEffect, label: number): void {
  const place = placeOf(scope, effect.root);
  if (place === undefined) return;
  const { slot } = place;
  const [holder, slots] = "frame" in place ? [place.frame, place.frame.locals] : [place.env, place.env.slots];
  for (const [value, reach] of targetsAt(m, scope, effect.values)) {
    mightBe(m, slots[slot], value, reach);
    mayBeIn(m, holder, slot, value, reach);
    if (value instanceof PromiseValue) m.waitsBy |= label;
  }
}

/** A label decides whether a variable holds a value. */
export function mayBeIn(m: Machine, holder: Frame | Env, slot: number, value: Slot, reach: number = itself): void {
  if (value === unset || !isObject(value)) return;
  m.follow(1);
  holder.maybe ??= new Map();
  const known = holder.maybe.get(slot) ?? new Map<GuestObject, number>();
  holder.maybe.set(slot, known);
  note(m, known, value, reach);
}

/** The reference on top of the stack was chosen by a label. `orAbsent`: it stands in for one that led to nothing. */
export function offer(m: Machine, scope: EffectScope, chosen: Slot, ways: readonly Way[], label: number, orAbsent = false): void {
  withinEffort(m, label, () => {
    for (const [value, reach] of targetsAt(m, scope, ways)) {
      mightBe(m, chosen, value, reach);
      if (value instanceof PromiseValue) m.waitsBy |= label;
    }
    if (orAbsent) for (const other of absentObjects(m)) mightBe(m, chosen, other);
  });
  if (!m.isApplying) m.standIns.length = 0;
  carryUnlisted(m, label);
}

/** The functions that might have been called instead. */
export function applyOthers(
  m: Machine,
  chosen: FunctionValue,
  self: readonly Value[],
  args: readonly (readonly Value[])[],
  label: number,
): void {
  if (chosen.hints?.instead === undefined) return;
  const how: Applying = { label, done: new Map() };
  for (const other of expand(m, chosen.hints.instead)) {
    if (other instanceof FunctionValue) applyFunction(m, other, self, args, how);
    else if (other instanceof NativeValue) applyNative(m, other, self, args, how);
  }
}

/** The promises that might have been settled instead. */
export function settleOthers(m: Machine, chosen: ResolverValue, label: number): void {
  const how: Applying = { label, done: new Map() };
  for (const other of expand(m, chosen.hints?.instead)) if (other instanceof ResolverValue) taintPromise(m, other.promise, how);
}

/** An object is written through a reference that a label chose: what it might have led to is written, or not. */
export function taintOthers(m: Machine, base: Value, write: Parameters<typeof taintObject>[1], label: number): void {
  if (!isObject(base) || base.hints?.instead === undefined) return;
  const seen: Reached = new Map();
  const waiting: [GuestObject, number][] = [...base.hints.instead];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [object, reach] = next;
    const known = seen.get(object) ?? 0;
    if ((reach & ~known) === 0) continue;
    seen.set(object, known | reach);
    const wide = reach & ~itself;
    const kind = `${wide} ${kindOf(write)}`;
    const done = wide === 0 || isTainted(m, object, kind, label);
    for (const other of expand(m, new Map([[object, done ? reach & itself : reach]]))) {
      m.follow(1);
      if (other !== base) taintObject(other, write, label);
      // What it might have been was perhaps chosen, too.
      if (other.hints?.instead !== undefined) append(waiting, other.hints.instead);
    }
    if (!done) (hintsOf(object).tainted ??= new Map()).set(kind, { stores: m.stores, label });
  }
}

function kindOf({ key, grows, removes, freezes, iterates, builtIn }: Mutation): string {
  return `${Number(grows === true)}${Number(removes === true)}${Number(freezes === true)}${Number(iterates === true)}${Number(builtIn === true)} ${key ?? "\0"}`;
}

/** Whether all members took the label from the same write already: a loop over a list writes each of them. */
function isTainted(m: Machine, object: GuestObject, key: string, label: number): boolean {
  const known = object.hints?.tainted?.get(key);
  return known !== undefined && known.stores === m.stores && (label & ~known.label) === 0;
}
