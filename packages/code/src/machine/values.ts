import { filled } from "../lists.ts";
import type { FunctionCode, Unit } from "../compile/code.ts";

/**
 * What a program can hold. Objects of these classes are data of the machine: the program reaches them through the machine's instructions alone,
 * and never gets an object, function or prototype of the host.
 */
export type Value = undefined | null | boolean | number | string | GuestObject;

/** A slot whose declaration has not run yet. */
export const unset: unique symbol = Symbol("unset");
export type Slot = Value | typeof unset;

/**
 * Labels are sets of bits; 0 is none. `shape` is what the keys or the length tell, `all` what any slot may tell because a labelled key chose where
 * to write, `labels` what each slot carries.
 */
export abstract class GuestObject {
  shape = 0;
  all = 0;
  frozen = false;
  /** What labels decided about it, besides what it holds. */
  hints: Hints | undefined = undefined;
  /** The last measurement that counted it. */
  mark = 0;
}

export interface Hints {
  /** Of what decided whether it is frozen. */
  frozenBy: number;
  /** What may be in it, or not: a label decided whether it was put in or taken out. */
  maybe: Reached | undefined;
  /** What a reference that a label chose might have led to instead. */
  instead: Reached | undefined;
  /** Whether it held objects when that was looked up, or one was put in since. */
  holds: boolean | undefined;
  /** By key: writes that all of its members took a label from, and what the machine had stored by then. They are not done again. */
  tainted: Map<string, { readonly stores: number; readonly label: number }> | undefined;
}

/** Objects: 1 themselves, 2 their members, 4 all that can be reached from them, joined by `|`. Looked up when it matters, since that is rare. */
export type Reached = Map<GuestObject, number>;

/** A plain object, an instance of a class, an error. */
export class ObjectValue extends GuestObject {
  slots: Map<string, Value> = new Map();
  labels: Map<string, number> | undefined = undefined;
  /** What `new` was used on. */
  cls: FunctionValue | NativeValue | undefined = undefined;
  /** Keys that are not listed: the message of an error. */
  hidden: Set<string> | undefined = undefined;
  /** The tool whose answer this is a part of. */
  origin: string | undefined = undefined;
  /** Of an error that a call ended with: how the program ends if nobody catches it. */
  failure: "tool" | "refused" | undefined = undefined;
}

/** Stands for an object that is made on the spot, while effects are looked up: what it may hold can be found in it under any key. Never kept. */
export class StandIn extends ObjectValue {}

export class ArrayValue extends GuestObject {
  items: Value[];
  labels: number[] | undefined = undefined;
  /** `index`, `input` and `groups` of a match. */
  extra: ObjectValue | undefined = undefined;
  cls: FunctionValue | undefined = undefined;

  constructor(items: Value[]) {
    super();
    this.items = items;
  }
}

export interface ClassParts {
  parent: Value;
  methods: Map<string, Value>;
  fields: FunctionValue | undefined;
  /** Stands for those that a branch would have made. */
  instance?: ObjectValue;
  readonly fieldKeys: string[];
  readonly staticFieldKeys: string[];
}

export class FunctionValue extends GuestObject {
  readonly unit: Unit;
  readonly code: FunctionCode;
  readonly env: Env | undefined;
  /** Of an arrow function: that of the function around it. */
  readonly self: Slot;
  name: string;
  /** The class whose method it is. */
  home: FunctionValue | undefined = undefined;
  homeStatic = false;
  cls: ClassParts | undefined = undefined;
  slots: Map<string, Value> | undefined = undefined;
  labels: Map<string, number> | undefined = undefined;

  constructor(unit: Unit, code: FunctionCode, env: Env | undefined, self: Slot) {
    super();
    this.unit = unit;
    this.code = code;
    this.env = env;
    this.self = self;
    this.name = code.name;
  }
}

/** A function or namespace of the language itself: `Math`, `Array`, `Array.prototype.map`. One object for each name, without state. */
export class NativeValue extends GuestObject {
  readonly name: string;
  readonly isFunction: boolean;

  constructor(name: string, isFunction: boolean) {
    super();
    this.name = name;
    this.isFunction = isFunction;
    this.frozen = true;
  }
}

export class ToolsValue extends GuestObject {}

export class ToolValue extends GuestObject {
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
}

/** Map and Set. Removed entries leave their place empty, so that iterators are plain indexes. */
export class MapValue extends GuestObject {
  readonly isSet: boolean;
  readonly index: Map<Value, number> = new Map();
  readonly keys: (Value | typeof unset)[] = [];
  readonly values: Value[] = [];
  /** How many places at the beginning are empty, since their entries were removed. */
  removed = 0;
  keyLabels: number[] | undefined = undefined;
  labels: number[] | undefined = undefined;
  cls: FunctionValue | undefined = undefined;

  constructor(isSet: boolean) {
    super();
    this.isSet = isSet;
  }
}

export class DateValue extends GuestObject {
  time: number;
  /** Of the time. */
  label = 0;
  cls: FunctionValue | undefined = undefined;
  constructor(time: number) {
    super();
    this.time = time;
  }
}

export class RegExpValue extends GuestObject {
  readonly source: string;
  readonly flags: string;
  lastIndex: Value = 0;
  /** Of lastIndex. */
  label = 0;
  cls: FunctionValue | undefined = undefined;
  constructor(source: string, flags: string) {
    super();
    this.source = source;
    this.flags = flags;
  }
}

export type IteratorKind = "values" | "keys" | "entries";

export class IteratorValue extends GuestObject {
  readonly target: ArrayValue | MapValue | string;
  readonly kind: IteratorKind;
  at = 0;
  done = false;
  /** Of the reference that it was made from. */
  label = 0;
  constructor(target: ArrayValue | MapValue | string, kind: IteratorKind) {
    super();
    this.target = target;
    this.kind = kind;
  }
}

export type Reaction =
  /** `label`: of the reference to the promise that is awaited. */
  | { readonly kind: "resume"; readonly frame: Frame; readonly label: number }
  | { readonly kind: "then"; readonly fulfilled: Value; readonly rejected: Value; readonly result: PromiseValue; readonly label: number }
  /** A promise that was resolved with another one. */
  | { readonly kind: "adopt"; readonly result: PromiseValue };

export class PromiseValue extends GuestObject {
  state: "pending" | "fulfilled" | "rejected" = "pending";
  /** Resolved, though with a promise that is still pending. */
  locked = false;
  value: Value = undefined;
  /** Of the value. */
  label = 0;
  /** Of the context that settled it. */
  settledBy = 0;
  /** Of what decided how long it took. */
  timing = 0;
  /** An exception in it may have been thrown, depending on this. */
  mayThrow = 0;
  /** Of a call: what its success or failure tells of. */
  outcome = 0;
  handled = false;
  reactions: Reaction[] = [];
  /** The async function that will settle it. */
  frame: Frame | undefined = undefined;
  /** The call that will settle it. */
  call: number | undefined = undefined;
}

/** The functions that `new Promise` hands out. */
export class ResolverValue extends GuestObject {
  readonly promise: PromiseValue;
  readonly rejects: boolean;
  constructor(promise: PromiseValue, rejects: boolean) {
    super();
    this.promise = promise;
    this.rejects = rejects;
  }
}

/** Variables that functions inside may still need. */
export class Env {
  readonly parent: Env | undefined;
  readonly slots: Slot[];
  labels: number[] | undefined = undefined;
  /** Labels that no assignment takes away: when a variable is assigned depends on them. */
  floor: number[] | undefined = undefined;
  /** By slot: what may be in it, or not, as a label decided. */
  maybe: Map<number, Reached> | undefined = undefined;
  /** Functions that branches would have made here. */
  written: Map<FunctionCode, Written> | undefined = undefined;
  mark = 0;

  constructor(parent: Env | undefined, slots: Slot[]) {
    this.parent = parent;
    this.slots = slots;
  }
}

/** A function that a branch would have made. */
export interface Written {
  readonly fn: FunctionValue;
  /** How deep such functions name each other. */
  readonly depth: number;
  /** What its names may stand for that no environment holds. */
  readonly held: readonly Reached[];
}

export interface ExceptionHandler {
  readonly pc: number;
  readonly env: Env | undefined;
  /** Contexts that are open outside of the protected part. */
  readonly contexts: number;
}

/** One call that is under way: all that is needed to go on with it, as data. */
export class Frame {
  readonly unit: Unit;
  readonly fn: FunctionCode;
  readonly code: Int32Array;
  readonly func: FunctionValue | undefined;
  pc = 0;
  env: Env | undefined;
  readonly stack: Slot[] = [];
  readonly stackLabels: number[] = [];
  readonly locals: Slot[];
  readonly localLabels: number[];
  readonly handlers: ExceptionHandler[] = [];
  self: Slot;
  selfLabel = 0;
  args: Value[];
  argLabels: number[];
  /** Of the number of arguments. */
  countLabel = 0;
  /** What `new` was used on. */
  newTarget: Value = undefined;
  /** Where the result goes; an async function that was suspended has none. */
  caller: Frame | undefined = undefined;
  /** Of an async function. */
  promise: PromiseValue | undefined = undefined;
  /** Where the result goes when no frame waits for it: the promise of `then`. */
  settles: PromiseValue | undefined = undefined;
  /** Number of frames below it. */
  depth = 0;
  mark = 0;
  /** The label of what decided that this code runs. */
  context = 0;
  /** As it was when the function began. */
  entry = 0;
  readonly contexts: number[] = [];
  /** An exception may have left this function, depending on this. */
  mayThrow = 0;
  /** What decided how often and whether it waited. */
  timing = 0;
  /** By slot: what may be in it, or not, as a label decided. */
  maybe: Map<number, Reached> | undefined = undefined;

  constructor(
    unit: Unit,
    fn: FunctionCode,
    func: FunctionValue | undefined,
    env: Env | undefined,
    self: Slot,
    args: Value[],
    argLabels: number[],
  ) {
    this.unit = unit;
    this.fn = fn;
    this.code = fn.code;
    this.func = func;
    this.env = env;
    this.self = self;
    this.args = args;
    this.argLabels = argLabels;
    this.locals = filled<Slot>(fn.locals, undefined);
    this.localLabels = unit.tracked ? filled<number>(fn.locals, 0) : noLabels;
  }
}

const noLabels: number[] = [];

export function isObject(value: Slot): value is GuestObject {
  return value instanceof GuestObject;
}

export function isCallable(value: Slot): boolean {
  if (value instanceof FunctionValue || value instanceof ToolValue || value instanceof ResolverValue) return true;
  return value instanceof NativeValue && value.isFunction;
}
