import { tooMuch, type Machine } from "./machine.ts";
import type { Frame } from "./values.ts";

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

/** What a label decided is too much to list: all that the program does from here carries it. */
export function carryOn(m: Machine, label: number, always = false): void {
  if ((label & ~m.carried) === 0) return;
  // A function that was called under the label: the branch that calls it or not lists what it does.
  if (!always && m.frame !== undefined && (label & ~m.frame.entry) === 0) return;
  m.carried |= label;
  for (let at = m.frame; at !== undefined; at = at.caller) raiseToEnd(at, label);
  for (const waiting of m.waiting) raiseToEnd(waiting, label);
}

/** What a label decided is looked up as far as it is not too much work; if it is, all that the program does from here carries it. */
export function withinEffort(m: Machine, label: number, lookUp: () => void): void {
  if (m.effort !== Infinity) return lookUp();
  // All carries it already.
  if ((label & ~m.carried) === 0) return;
  m.effort = maximumEffort;
  try {
    lookUp();
  } catch (error) {
    if (error !== tooMuch) throw error;
    m.effectDepth = 0;
    m.making.clear();
    m.isUnlisted = false;
    carryOn(m, label, true);
  } finally {
    m.effort = Infinity;
  }
}

/** Steps from object to object. */
const maximumEffort = 100_000;

function raiseToEnd(frame: Frame, label: number): void {
  keepRaised(frame, -1, label);
  frame.entry |= label;
  frame.timing |= label;
}
