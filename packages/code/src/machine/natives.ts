import type { Machine } from "./machine.ts";
import type { FunctionValue, NativeValue, Value } from "./values.ts";

/** A built-in function over guest values. It runs at once and calls no function of the program. */
export type NativeCall = (m: Machine, self: Value, args: Value[]) => Value;

export interface NativeDefinition {
  /** "Math.max", "Array.prototype.slice", "Map". */
  readonly name: string;
  readonly length: number;
  readonly call?: NativeCall;
  readonly construct?: (m: Machine, args: Value[], newTarget: Value) => Value;
  /** Written in the language itself, since it calls functions of the program: the name in the prelude. */
  readonly prelude?: string;
  readonly constructPrelude?: string;
}

/** All that the language brings. Without state, shared by all programs. */
export interface Natives {
  readonly functions: ReadonlyMap<string, NativeDefinition>;
  /** "Array" → "map" → the function. */
  readonly methods: ReadonlyMap<string, ReadonlyMap<string, NativeValue>>;
  /** "Math" → "PI" → the value. */
  readonly statics: ReadonlyMap<string, ReadonlyMap<string, Value>>;
  readonly globals: ReadonlyMap<string, Value>;
  /** What only the prelude can name. */
  readonly inner: ReadonlyMap<string, Value>;
  preludeFunction(name: string, tracked: boolean): FunctionValue;
}
