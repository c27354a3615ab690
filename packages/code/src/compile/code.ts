import type { Effect, Way } from "../labels/effect.ts";

/** What is known of a branch from the tree: what it may write, and where it may go. */
export interface Region {
  readonly effects: readonly Effect[];
  /** What the value may be that the branch leaves on the stack. */
  readonly values: readonly Way[];
  /** Contexts above this depth stay raised: something in the branch leaves it for there. The depth of the region itself: nothing does. */
  readonly escape: number;
  /** A `throw` in it is not caught in this function. */
  readonly throws: boolean;
  /** Something in it is awaited, so that the time at which the function ends depends on it. */
  readonly awaits: boolean;
  /** Something in it may make a promise: whether there is one to wait for depends on it. */
  readonly promises: boolean;
  /** The branch leaves a value on the stack. */
  readonly value: boolean;
  /** That value stands in for one that is not there. */
  readonly orAbsent: boolean;
  /** Number of contexts outside of it. */
  readonly depth: number;
}

/** A branch that does nothing and leaves nothing. */
export const emptyRegion: Region = {
  effects: [],
  values: [],
  escape: 0,
  throws: false,
  awaits: false,
  promises: false,
  value: false,
  orAbsent: false,
  depth: 0,
};

export interface FunctionCode {
  readonly index: number;
  readonly name: string;
  /** Number of parameters before the first default or rest. */
  readonly length: number;
  readonly code: Int32Array;
  /** Triples: offset of an instruction, start and end of its source. Ascending. */
  readonly places: Int32Array;
  /** Slots of the frame. */
  readonly locals: number;
  /** The first parameters go to the first slots; without it, instructions fetch them. */
  readonly plainParams: number;
  readonly async: boolean;
  readonly arrow: boolean;
  /** Its parameters and variables need an environment. */
  readonly ownEnvironment: boolean;
  /** May be used with `new`. */
  readonly role: "function" | "method" | "constructor" | "derived" | "fields";
  /** An exception may come out of a call of it: it has a `throw` that is not caught there. */
  readonly throws: boolean;
  /** What a call may write outside of the function. */
  readonly effects: readonly Effect[];
  /** What a call may answer. */
  readonly returns: readonly Way[];
  /** What it may give to others besides. */
  readonly gives: readonly Way[];
  readonly start: number;
  readonly end: number;
}

/** A compiled program. It is immutable, and made anew from its source when a stored program goes on. */
export interface Unit {
  readonly text: string;
  readonly tracked: boolean;
  readonly functions: readonly FunctionCode[];
  readonly pool: readonly (string | number)[];
  readonly regions: readonly Region[];
  /** Of our own functions: its frames are not shown in messages, and not counted as depth. */
  readonly builtin: boolean;
}
