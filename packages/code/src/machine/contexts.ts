import type { Region } from "../compile/code.ts";
import { applyEffects, applyFunction, scopeOfFrame } from "./effects.ts";
import { FunctionValue, NativeValue, ObjectValue, type Frame } from "./values.ts";
import type { Machine } from "./machine.ts";

/** Keeps a context raised until what is left at `depth` ends. */
export function keepRaised(frame: Frame, depth: number, label: number): void {
  for (let at = Math.max(0, depth + 1); at < frame.contexts.length; at++) frame.contexts[at] = (frame.contexts[at] as number) | label;
  frame.context |= label;
}

/** An exception may have come out of a call: what follows in the `try`, or in the function, tells that none did. */
export function raiseForThrow(frame: Frame, label: number): void {
  const handler = frame.handlers.at(-1);
  keepRaised(frame, handler === undefined ? -1 : handler.contexts - 1, label);
  if (handler === undefined) frame.mayThrow |= label;
}

/** A label chose the function that is called next: what another one would have written takes it. */
export function joinChoice(m: Machine, frame: Frame, region: Region, method: boolean): void {
  const label = frame.stackLabels[frame.stackLabels.length - 1] as number;
  const top = frame.stack.length - 1;
  if (label === 0 || frame.stack[top] instanceof NativeValue) return;
  applyEffects(m, scopeOfFrame(frame), region.effects, label);
  const self = method ? frame.stack[top - 1] : undefined;
  if (self instanceof ObjectValue)
    for (const other of self.slots.values()) if (other instanceof FunctionValue) applyFunction(m, other, [self], [], label);
}

/** The branches of a region join: everything that may have been written takes the label, whether it was or not. */
export function joinRegion(m: Machine, frame: Frame, region: Region): void {
  const raised = frame.context;
  const before = frame.contexts[region.depth] as number;
  frame.contexts.length = region.depth;
  frame.context = before;
  if (raised === before) return;
  if (region.value) frame.stackLabels[frame.stackLabels.length - 1] = (frame.stackLabels.at(-1) as number) | raised;
  if (region.awaits) frame.timing |= raised;
  if (region.throws) frame.mayThrow |= raised;
  if (region.escape < region.depth) keepRaised(frame, region.escape, raised);
  applyEffects(m, scopeOfFrame(frame), region.effects, raised);
}
