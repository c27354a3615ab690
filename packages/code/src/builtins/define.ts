import type { Machine } from "../machine/machine.ts";
import type { NativeCall, NativeDefinition } from "../machine/machine.ts";
import type { Value } from "../machine/values.ts";

/** A part of the language: functions by their full names, and constants. */
export interface Library {
  readonly functions: readonly NativeDefinition[];
  /** "Math.PI" → its value. */
  readonly constants?: Readonly<Record<string, Value>>;
}

export function native(name: string, length: number, call: NativeCall): NativeDefinition {
  return { name, length, call };
}

export function inPrelude(name: string, length: number, prelude: string): NativeDefinition {
  return { name, length, prelude };
}

/** The label of what decided that the present code runs. */
export function contextOf(m: Machine): number {
  return m.context;
}

/** The label of an argument, that of the value itself; of one that is missing, what decided that. */
export function argLabel(m: Machine, index: number): number {
  return m.argLabels[index] ?? m.countLabel;
}

/** Answers a text, counted. */
export function text(m: Machine, value: string): string {
  m.allocate(24 + 2 * value.length);
  m.charge(value.length >> 8);
  return value;
}

/** A text is gone through from its beginning to its end. */
export function passThrough(m: Machine, value: string): string {
  m.charge(value.length >> 6);
  return value;
}

/** Refuses a text that would be too long, before it is made. */
export function reserveText(m: Machine, length: number): void {
  m.allocate(24 + 2 * length);
  if (length > 2 ** 28) m.fail("RangeError", "Invalid string length");
  m.charge(length >> 8);
}
