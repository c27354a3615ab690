import type { Region } from "../compile/code.ts";
import { applyEffects, applyFunction, applyOthers, offer, settleOthers, type Applying } from "./effects.ts";
import { mayHold, reachable } from "./reach.ts";
import { taintObject } from "./taint.ts";
import {
  FunctionValue,
  isObject,
  IteratorValue,
  NativeValue,
  ObjectValue,
  RegExpValue,
  ResolverValue,
  type Frame,
  type Value,
} from "./values.ts";
import type { Machine } from "./machine.ts";
import { keepRaised } from "./raise.ts";
import { noteTiming } from "./timing.ts";
import { scopeOfFrame } from "./ways.ts";

/** A label chose the function that is called next: what another one would have written takes it. */
export function joinChoice(m: Machine, frame: Frame, region: Region, method: boolean): void {
  const label = frame.stackLabels[frame.stackLabels.length - 1] as number;
  const top = frame.stack.length - 1;
  const known = method && frame.stack[top] instanceof NativeValue ? (frame.stackLabels[top - 1] as number) : 0;
  if ((label & ~known) === 0) return;
  const how: Applying = { label, done: new Map() };
  applyEffects(m, scopeOfFrame(frame), region.effects, how);
  const self = method ? frame.stack[top - 1] : undefined;
  if (self instanceof ObjectValue)
    for (const other of self.slots.values()) if (other instanceof FunctionValue) applyFunction(m, other, [self], [], how);
}

/** A label chose the function that is called: what the others would have written takes it. */
export function joinOthers(m: Machine, fn: Value, self: Value, args: readonly Value[], label: number): void {
  if (fn instanceof ResolverValue) settleOthers(m, fn, label);
  if (fn instanceof FunctionValue) applyOthers(m, fn, [self], args.map((value) => [value]), label); // prettier-ignore
}

/** A label chose the method of the language that is called: another one might have written the receiver, or called what it is given. */
export function joinOtherMethods(m: Machine, self: Value, args: readonly Value[], label: number): void {
  const how: Applying = { label, done: new Map() };
  if (isObject(self) && !(self instanceof NativeValue)) {
    taintObject(self, { builtIn: true }, label);
    for (const value of args) mayHold(m, self, value);
  }
  if (self instanceof NativeValue && self.name === "Object" && isObject(args[0])) {
    taintObject(args[0], {}, label);
    taintObject(args[0], { freezes: true }, label);
  }
  const given = reachable(m, [self, ...args].filter(isObject));
  for (const value of args) {
    if (value instanceof FunctionValue) applyFunction(m, value, [], [given, given, given, given], how);
    else if (value instanceof RegExpValue || value instanceof IteratorValue) taintObject(value, {}, label);
  }
}

/** The branches of a region join: everything that may have been written takes the label, whether it was or not. */
export function joinRegion(m: Machine, frame: Frame, region: Region): void {
  const raised = frame.context;
  const before = frame.contexts[region.depth] as number;
  frame.contexts.length = region.depth;
  frame.context = before;
  // Whoever called under the same label knows nothing of it yet; that an operation of the language may fail is not followed.
  if (region.throws && !(raised === before && frame.unit.builtin)) frame.mayThrow |= raised;
  if (raised === before) return;
  if (region.value) frame.stackLabels[frame.stackLabels.length - 1] = (frame.stackLabels.at(-1) as number) | raised;
  if (region.awaits) noteTiming(m, frame, raised);
  if (region.escape < region.depth) keepRaised(frame, region.escape, raised);
  const scope = scopeOfFrame(frame);
  if (region.promises) m.waitsBy |= raised;
  if (region.value) offer(m, scope, frame.stack[frame.stack.length - 1], region.values, raised, region.orAbsent);
  applyEffects(m, scope, region.effects, { label: raised, done: new Map() });
}
