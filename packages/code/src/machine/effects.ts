import type { Effect, Way } from "../labels/effect.ts";
import { append, filled } from "../lists.ts";
import type { Machine } from "./machine.ts";
import { carryOn } from "./raise.ts";
import { expand, hintsOf, itself, mayHold, mightBe, reachable } from "./reach.ts";
import { taintObject } from "./taint.ts";
import { follow, objectsIn, plain, scopeOfFunction, targetsAt, valuesAt, withOthers, type EffectScope } from "./ways.ts";
import {
  FunctionValue,
  isObject,
  type PromiseValue,
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
  readonly done: Done;
}

/** What was applied: promises, and functions with the values that each parameter (and `this`, as -1) had. */
export type Done = Map<object, Map<number, Set<Value>>>;

/** Whether something is new in a call of a function; notes it. */
function isNew(done: Done, fn: object, self: readonly Value[], args: readonly (readonly Value[])[]): boolean {
  let known = done.get(fn);
  let found = known === undefined;
  if (known === undefined) done.set(fn, (known = new Map()));
  for (const [at, values] of [[-1, self] as const, ...args.entries()]) {
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

/** Gives the label to everything that the effects name. */
export function applyEffects(m: Machine, scope: EffectScope, effects: readonly Effect[], how: Applying): void {
  // First what may be held where, since later parts of the branch may write through that.
  for (const effect of effects) {
    if (effect.kind === "variable" && effect.values.length > 0) holdInVariable(m, scope, effect);
    if (effect.kind !== "write" || effect.values.length === 0) continue;
    const held = targetsAt(m, scope, effect.values);
    if (held.length > 0) for (const value of valuesAt(m, scope, effect.on)) for (const [one, reach] of held) mayHold(m, value, one, reach);
  }
  for (const effect of effects) {
    if (effect.kind === "variable") joinVariable(scope, effect, how);
    else if (effect.kind === "write") {
      for (const value of valuesAt(m, scope, effect.on))
        taintObject(value, how.stays === true ? { builtIn: effect.builtIn === true } : effect, how.label);
    } else if (effect.kind === "call") applyCall(m, scope, effect, how);
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
  const callees = calleesAt(m, scope, effect.callee);
  if (callees.length === 0) return;
  const self = effect.self.flatMap((way) => valuesAt(m, scope, way));
  let args: Value[][] = effect.args.map((ways) => ways.flatMap((way) => valuesAt(m, scope, way)));
  if (effect.any === true) {
    const given = reachable(m, args.flat().filter(isObject));
    args = [given, given, given, given];
  }
  for (const callee of callees) {
    if (callee instanceof FunctionValue) applyFunction(m, callee, self, args, how);
    else taintPromise(m, (callee as ResolverValue).promise, how);
  }
}

/** The functions that a way leads to. Anything that is given to a function is looked at, so what is no function is not followed further. */
function calleesAt(m: Machine, scope: EffectScope, way: Way): GuestObject[] {
  const functions = objectsIn(m, follow(m, scope, way, false)).filter(
    (value) => value instanceof FunctionValue || value instanceof ResolverValue,
  );
  return withOthers(m, functions).filter((callee) => callee instanceof ResolverValue || doesSomething(callee));
}

/** Whether a call of a function may write anything outside of it; most that are given to built-in functions do not. */
function doesSomething(callee: Value): boolean {
  if (!(callee instanceof FunctionValue)) return false;
  return callee.code.effects.length > 0 || callee.cls?.fields !== undefined || doesSomething(callee.cls?.parent);
}

/** A promise may be settled or not: what waits for it may go on or not. */
export function taintPromise(m: Machine, promise: PromiseValue, how: Applying): void {
  if (!isNew(how.done, promise, [], [])) return;
  m.follow(1);
  promise.label |= how.label;
  promise.settledBy |= how.label;
  promise.timing |= how.label;
  for (const reaction of promise.reactions) {
    if (reaction.kind === "resume") taintFrame(m, reaction.frame, how);
    else {
      taintPromise(m, reaction.result, how);
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
  if (frame.promise !== undefined) taintPromise(m, frame.promise, how);
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
): void {
  if (!isNew(how.done, fn, self, args)) return;
  m.follow(1 + self.length + args.reduce((sum, values) => sum + values.length, 0));
  if (m.effectDepth > deepest) return carryOn(m, how.label);
  m.effectDepth++;
  // What an async function writes after it waited comes at a time of its own.
  applyEffects(m, scopeOfFunction(fn, self, args), fn.code.effects, fn.code.async ? { ...how, stays: true } : how);
  if (fn.cls?.fields !== undefined) applyFunction(m, fn.cls.fields, self, args, how);
  if (fn.cls?.parent instanceof FunctionValue) applyFunction(m, fn.cls.parent, self, args, how);
  m.effectDepth--;
}

/** Functions that call functions, as far as they are followed. */
const deepest = 200;

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

function joinVariable(scope: EffectScope, { root }: VariableEffect, how: Applying): void {
  const holder = root.kind === "local" ? scope.frame : root.kind === "env" ? scope.env(root.hops) : undefined;
  if (holder === undefined || (root.kind !== "local" && root.kind !== "env")) return;
  if (root.kind === "local") joinLocal(holder as Frame, root.slot, how.label);
  else {
    if (root.slot >= (holder as Env).slots.length) return;
    joinEnv(holder as Env, root.slot, how);
  }
}

function holdInVariable(m: Machine, scope: EffectScope, effect: VariableEffect): void {
  const { root } = effect;
  const holder = root.kind === "local" ? scope.frame : root.kind === "env" ? scope.env(root.hops) : undefined;
  if (holder === undefined || (root.kind !== "local" && root.kind !== "env")) return;
  const current = root.kind === "local" ? (holder as Frame).locals[root.slot] : (holder as Env).slots[root.slot];
  for (const [value, reach] of targetsAt(m, scope, effect.values)) {
    mightBe(m, current, value, reach);
    mayBeIn(m, holder, root.slot, value, reach);
  }
}

/** A label decides whether a variable holds a value. */
export function mayBeIn(m: Machine, holder: Frame | Env, slot: number, value: Slot, reach: number = itself): void {
  if (value === unset || !isObject(value)) return;
  m.follow(1);
  holder.maybe ??= new Map();
  const known = holder.maybe.get(slot) ?? new Map<GuestObject, number>();
  holder.maybe.set(slot, known.set(value, (known.get(value) ?? 0) | reach));
}

/** The reference on top of the stack was chosen by a label. */
export function offer(m: Machine, scope: EffectScope, chosen: Slot, ways: readonly Way[], label: number): void {
  for (const [value, reach] of targetsAt(m, scope, ways)) mightBe(m, chosen, value, reach);
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
  for (const other of expand(m, chosen.hints.instead)) if (other instanceof FunctionValue) applyFunction(m, other, self, args, how);
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
    const done = wide === 0 || isTainted(m, object, `${wide}${write.key ?? ""}`, label);
    for (const other of expand(m, new Map([[object, done ? reach & itself : reach]]))) {
      m.follow(1);
      if (other !== base) taintObject(other, write, label);
      // What it might have been was perhaps chosen, too.
      if (other.hints?.instead !== undefined) append(waiting, other.hints.instead);
    }
    if (!done) (hintsOf(object).tainted ??= new Map()).set(`${wide}${write.key ?? ""}`, { stores: m.stores, label });
  }
}

/** Whether all members took the label from the same write already: a loop over a list writes each of them. */
function isTainted(m: Machine, object: GuestObject, key: string, label: number): boolean {
  const known = object.hints?.tainted?.get(key);
  return known !== undefined && known.stores === m.stores && (label & ~known.label) === 0;
}
