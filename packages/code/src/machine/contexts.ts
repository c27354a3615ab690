import type { Region } from "../compile/code.ts";
import { applyEffects, applyFunction, applyOthers, offer, scopeOfFrame, settleOthers, type Applying } from "./effects.ts";
import { FunctionValue, NativeValue, ObjectValue, ResolverValue, type Frame, type Value } from "./values.ts";
import type { Machine } from "./machine.ts";
import { keepRaised } from "./raise.ts";
import { noteTiming } from "./timing.ts";

/** A label chose the function that is called next: what another one would have written takes it. */
export function joinChoice(m: Machine, frame: Frame, region: Region, method: boolean): void {
  const label = frame.stackLabels[frame.stackLabels.length - 1] as number;
  const top = frame.stack.length - 1;
  if (label === 0 || frame.stack[top] instanceof NativeValue) return;
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

/** The branches of a region join: everything that may have been written takes the label, whether it was or not. */
export function joinRegion(m: Machine, frame: Frame, region: Region): void {
  const raised = frame.context;
  const before = frame.contexts[region.depth] as number;
  frame.contexts.length = region.depth;
  frame.context = before;
  if (raised === before) return;
  if (region.value) frame.stackLabels[frame.stackLabels.length - 1] = (frame.stackLabels.at(-1) as number) | raised;
  if (region.awaits) noteTiming(m, frame, raised);
  if (region.throws) frame.mayThrow |= raised;
  if (region.escape < region.depth) keepRaised(frame, region.escape, raised);
  const scope = scopeOfFrame(frame);
  if (region.value) offer(m, scope, frame.stack[frame.stack.length - 1], region.values);
  applyEffects(m, scope, region.effects, { label: raised, done: new Map() });
}
