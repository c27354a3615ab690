import type { Frame } from "../values.ts";
import type { Machine } from "../machine.ts";
import type { Value } from "../values.ts";

/** Runs one instruction; its operands follow at `frame.pc`. */
export type Handler = (m: Machine, f: Frame) => void;
export type Handlers = readonly (readonly [number, Handler])[];

export function operand(f: Frame): number {
  return f.code[f.pc++] as number;
}

export function pooled(f: Frame): string {
  return f.unit.pool[f.code[f.pc++] as number] as string;
}

export function push(m: Machine, f: Frame, value: Value, label: number): void {
  f.stack.push(value);
  if (m.tracked) f.stackLabels.push(label);
}

export function pop(f: Frame): Value {
  return f.stack.pop() as Value;
}

/** The label of what was popped; call it once for each value that was popped. */
export function popLabel(m: Machine, f: Frame): number {
  return m.tracked ? (f.stackLabels.pop() as number) : 0;
}

/** Takes n values from the stack, in order. */
export function take(f: Frame, count: number): Value[] {
  const start = f.stack.length - count;
  const taken = f.stack.slice(start);
  f.stack.length = start;
  return taken as Value[];
}

export function takeLabels(m: Machine, f: Frame, count: number): number[] {
  return m.tracked && count > 0 ? f.stackLabels.splice(f.stackLabels.length - count, count) : [];
}
