import { filled } from "../filled.ts";
import type { Effect, Root, Way } from "../labels/effect.ts";
import { findInClass } from "./classes.ts";
import type { Machine } from "./machine.ts";
import { taintObject } from "./taint.ts";
import {
  ArrayValue,
  FunctionValue,
  isObject,
  MapValue,
  ObjectValue,
  ResolverValue,
  unset,
  type Env,
  type Frame,
  type GuestObject,
  type PromiseValue,
  type Slot,
  type Value,
} from "./values.ts";

/** Where the roots of effects are found. */
export interface EffectScope {
  readonly frame: Frame | undefined;
  readonly env: (hops: number) => Env | undefined;
  readonly self: readonly Value[];
  /** For each parameter the values that it may have; undefined: any of `any`. */
  readonly args: readonly (readonly Value[])[];
}

export function scopeOfFrame(frame: Frame): EffectScope {
  return { frame, env: (hops) => envAt(frame.env, hops), self: [plain(frame.self)], args: [] };
}

/** Seen from the callers of a function: its own environment, if it has one, lies between its body and the rest. */
export function scopeOfFunction(fn: FunctionValue, self: readonly Value[], args: readonly (readonly Value[])[]): EffectScope {
  const own = fn.code.ownEnvironment ? 1 : 0;
  return {
    frame: undefined,
    env: (hops) => (hops < own ? undefined : envAt(fn.env, hops - own)),
    self: fn.code.arrow ? [plain(fn.self)] : self,
    args,
  };
}

/** Gives the label to everything that the effects name. */
export function applyEffects(
  m: Machine,
  scope: EffectScope,
  effects: readonly Effect[],
  label: number,
  done: Set<GuestObject> = new Set(),
): void {
  for (const effect of effects) {
    if (effect.kind === "variable") joinVariable(scope, effect.root, label);
    else if (effect.kind === "write") {
      for (const value of valuesAt(m, scope, effect.on)) taintObject(value, effect, label);
    } else {
      const self = effect.self.flatMap((way) => valuesAt(m, scope, way));
      const args = effect.args.map((ways) => ways.flatMap((way) => valuesAt(m, scope, way)));
      for (const callee of valuesAt(m, scope, effect.callee)) {
        if (callee instanceof FunctionValue) applyFunction(m, callee, self, args, label, done);
        else if (callee instanceof ResolverValue) taintPromise(m, callee.promise, label, done);
      }
    }
  }
}

/** A promise may be settled or not: what waits for it may go on or not. */
function taintPromise(m: Machine, promise: PromiseValue, label: number, done: Set<GuestObject>): void {
  if (done.has(promise)) return;
  done.add(promise);
  m.charge(1);
  promise.label |= label;
  promise.settledBy |= label;
  promise.timing |= label;
  for (const reaction of promise.reactions) {
    if (reaction.kind === "resume") taintFrame(m, reaction.frame, label, done);
    else {
      taintPromise(m, reaction.result, label, done);
      if (reaction.kind !== "then") continue;
      for (const callback of [reaction.fulfilled, reaction.rejected])
        if (callback instanceof FunctionValue) applyFunction(m, callback, [], [], label, done);
    }
  }
}

function taintFrame(m: Machine, frame: Frame, label: number, done: Set<GuestObject>): void {
  frame.context |= label;
  frame.timing |= label;
  for (let at = 0; at < frame.contexts.length; at++) frame.contexts[at] = (frame.contexts[at] as number) | label;
  applyEffects(m, { ...scopeOfFrame(frame), args: frame.args.map((value) => [value]) }, frame.fn.effects.filter((effect) => effect.kind !== "variable" || effect.root.kind !== "local"), label, done); // prettier-ignore
  if (frame.promise !== undefined) taintPromise(m, frame.promise, label, done);
}

export function applyFunction(
  m: Machine,
  fn: FunctionValue,
  self: readonly Value[],
  args: readonly (readonly Value[])[],
  label: number,
  done: Set<GuestObject> = new Set(),
): void {
  if (done.has(fn) || done.size > 1_000) return;
  done.add(fn);
  m.charge(1);
  applyEffects(m, scopeOfFunction(fn, self, args), fn.code.effects, label, done);
  if (fn.cls?.fields !== undefined) applyFunction(m, fn.cls.fields, self, args, label, done);
}

function joinVariable(scope: EffectScope, root: Root, label: number): void {
  if (root.kind === "local" && scope.frame !== undefined) {
    scope.frame.localLabels[root.slot] = (scope.frame.localLabels[root.slot] as number) | label;
  } else if (root.kind === "env") {
    const env = scope.env(root.hops);
    if (env === undefined || root.slot >= env.slots.length) return;
    env.labels ??= filled<number>(env.slots.length, 0);
    env.labels[root.slot] = (env.labels[root.slot] as number) | label;
  }
}

function rootValues(scope: EffectScope, root: Root): readonly Value[] {
  if (root.kind === "this") return scope.self;
  if (root.kind === "param") return scope.args[root.index] ?? [];
  if (root.kind === "local") return scope.frame === undefined ? [] : [plain(scope.frame.locals[root.slot])];
  return [plain(scope.env(root.hops)?.slots[root.slot])];
}

function valuesAt(m: Machine, scope: EffectScope, way: Way): GuestObject[] {
  let values: readonly Value[] = rootValues(scope, way.root);
  for (const key of way.path) values = values.map((value) => memberOf(value, key));
  const objects = values.filter(isObject);
  return way.deep ? reachable(m, objects) : objects;
}

function memberOf(value: Value, key: string): Value {
  if (value instanceof ObjectValue) return value.slots.get(key) ?? findInClass(value.cls, key);
  if (value instanceof ArrayValue) return /^\d+$/.test(key) ? value.items[Number(key)] : undefined;
  return value instanceof FunctionValue ? value.slots?.get(key) : undefined;
}

function reachable(m: Machine, from: readonly GuestObject[]): GuestObject[] {
  const seen = new Set<GuestObject>(from);
  for (const object of seen) {
    m.charge(1);
    const add = (value: Slot): void => {
      if (value !== unset && isObject(value)) seen.add(value);
    };
    if (object instanceof ObjectValue) {
      for (const value of object.slots.values()) add(value);
      if (object.cls instanceof FunctionValue) for (const method of object.cls.cls?.methods.values() ?? []) add(method);
    } else if (object instanceof ArrayValue) for (const value of object.items) add(value);
    else if (object instanceof MapValue) {
      for (const key of object.keys) add(key);
      for (const value of object.values) add(value);
    } else if (object instanceof FunctionValue) for (const value of object.slots?.values() ?? []) add(value);
  }
  return [...seen];
}

function plain(value: Slot): Value {
  return value === unset ? undefined : value;
}

export function envAt(env: Env | undefined, hops: number): Env | undefined {
  let at = env;
  for (let hop = 0; hop < hops; hop++) at = at?.parent;
  return at;
}
