import type { Frame } from "./values.ts";
import type { GuestThrow } from "./errors.ts";
import type { Machine } from "./machine.ts";
import { raiseForThrow } from "./raise.ts";
import { applyFrameEffects, offer } from "./effects.ts";
import { currentOffset } from "./places.ts";
import { rejectPromise, resolvePromise } from "./promises.ts";
import { isObject, unset, type Value } from "./values.ts";
import { scopeOfFunction } from "./ways.ts";

/** Ends a frame with a value. */
export function returnFrom(m: Machine, frame: Frame, value: Value, label: number): void {
  let result = value;
  let resultLabel = label;
  if (frame.newTarget !== undefined && !isObject(value)) {
    if (frame.self === unset)
      m.fail("ReferenceError", "A class that extends another calls super(…) in its constructor before it uses this or returns.");
    result = frame.self;
    resultLabel = frame.selfLabel;
  }
  m.frame = frame.caller;
  if (m.tracked) {
    resultLabel |= frame.context;
    leaveFrame(m, frame, result);
  }
  if (frame.promise !== undefined) {
    const { promise } = frame;
    promise.timing |= frame.timing;
    promise.mayThrow |= frame.mayThrow;
    resolvePromise(m, promise, result, resultLabel, 0);
    deliverTo(m, frame, promise, 0);
  } else deliverTo(m, frame, result, resultLabel);
}

/** Gives a result to the frame that called, or to the promise that waits; an async function gives its promise when it first waits. */
export function deliverTo(m: Machine, frame: Frame, value: Value, label: number): void {
  const { caller } = frame;
  if (caller !== undefined) {
    caller.stack.push(value);
    if (m.tracked) caller.stackLabels.push(label);
  } else if (frame.settles !== undefined) {
    frame.settles.mayThrow |= frame.mayThrow;
    resolvePromise(m, frame.settles, value, label, frame.entry);
  }
  frame.caller = undefined;
  frame.settles = undefined;
}

/** What a function that ended under a raised context may have written elsewhere. */
function leaveFrame(m: Machine, frame: Frame, result: Value): void {
  if (frame.context !== frame.entry) {
    applyFrameEffects(m, frame, { label: frame.context, done: new Map() });
    if (frame.func !== undefined) {
      const self = frame.self === unset ? undefined : frame.self;
      offer(m, scopeOfFunction(frame.func, [self], frame.args.map((value) => [value])), result, frame.fn.returns, frame.context); // prettier-ignore
    }
  }
  if (frame.mayThrow !== 0 && frame.promise === undefined && frame.caller !== undefined) raiseForThrow(frame.caller, frame.mayThrow);
}

/** Where a value was first thrown, as far as a label may know it. */
export function thrownAt(m: Machine, value: Value, label: number): number | undefined {
  for (const [of, thrown] of m.thrown) if ((of & ~label) === 0 && thrown.value === value) return thrown.at;
  return undefined;
}

/** Finds the handler of an exception, ending the frames on the way. */
export function unwindTo(m: Machine, thrown: GuestThrow): void {
  if (thrownAt(m, thrown.value, thrown.label) === undefined) {
    const at = currentOffset(m);
    if (at !== undefined) m.thrown.set(thrown.label, { value: thrown.value, at });
  }
  for (;;) {
    const { frame } = m;
    if (frame === undefined) return;
    if (m.tracked) thrown.label |= frame.context;
    const handler = frame.handlers.pop();
    if (handler !== undefined) {
      frame.pc = handler.pc;
      frame.env = handler.env;
      frame.stack.length = 0;
      frame.stack.push(thrown.value);
      if (m.tracked) {
        frame.stackLabels.length = 0;
        frame.stackLabels.push(thrown.label);
        frame.contexts.length = handler.contexts;
        frame.context = (frame.contexts.at(-1) ?? frame.entry) | thrown.label;
      }
      return;
    }
    m.frame = frame.caller;
    if (m.tracked && thrown.label !== 0) applyFrameEffects(m, frame, { label: thrown.label, done: new Map() });
    if (frame.promise !== undefined) {
      const { promise } = frame;
      promise.timing |= frame.timing;
      rejectPromise(m, promise, thrown.value, thrown.label, 0);
      deliverTo(m, frame, promise, 0);
      return;
    }
    if (frame.caller === undefined && frame.settles !== undefined) {
      rejectPromise(m, frame.settles, thrown.value, thrown.label, 0);
      return;
    }
  }
}
