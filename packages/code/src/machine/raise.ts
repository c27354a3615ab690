import type { Machine } from "./machine.ts";
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
export function carryOn(m: Machine, label: number): void {
  if ((label & ~m.carried) === 0) return;
  // A function that was called under the label: the branch that calls it or not lists what it does.
  if (m.frame !== undefined && (label & ~m.frame.entry) === 0) return;
  m.carried |= label;
  for (let at = m.frame; at !== undefined; at = at.caller) raiseToEnd(at, label);
  for (const waiting of m.waiting) raiseToEnd(waiting, label);
}

function raiseToEnd(frame: Frame, label: number): void {
  keepRaised(frame, -1, label);
  frame.entry |= label;
  frame.timing |= label;
}
