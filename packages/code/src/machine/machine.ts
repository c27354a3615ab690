import type { FunctionCode, Unit } from "../compile/code.ts";
import type { ProgramLimits } from "../limits.ts";
import { GuestThrow, LimitReached, type ErrorName } from "./errors.ts";
import {
  ObjectValue,
  PromiseValue,
  type StandIn,
  ToolsValue,
  type Frame,
  type FunctionValue,
  type GuestObject,
  type NativeValue,
  type Reached,
  type Reaction,
  type Value,
  type Written,
} from "./values.ts";

/** A call of a tool, from the moment the program makes it. */
export interface CallEntry {
  readonly id: number;
  readonly tool: string;
  readonly input: unknown;
  readonly labels: number;
  readonly inputLabels: Readonly<Record<string, number>>;
  /** Of what decided that the call is made. */
  readonly context: number;
  readonly promise: PromiseValue;
  /** What the input takes: it is kept to the end, for the list of calls. */
  readonly bytes: number;
  state: "waiting" | "started" | "ok" | "failed";
}

export interface LogEntry {
  readonly text: string;
  readonly label: number;
}

export type Job =
  | { readonly kind: "reaction"; readonly reaction: Reaction; readonly promise: PromiseValue }
  | { readonly kind: "subscribe"; readonly from: PromiseValue; readonly to: PromiseValue };

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

export interface MachineHost {
  now(): number;
  /** Called before a call is made; a text refuses it. */
  onCall?(call: CallEntry): string | undefined;
}

export interface MachineOptions {
  readonly unit: Unit;
  readonly natives: Natives;
  readonly limits: ProgramLimits;
  readonly tools: readonly string[];
  /** Tools that cost no call from the budget. */
  readonly freeTools: readonly string[];
  readonly labelNames: string[];
  readonly seed: number;
  readonly host: MachineHost;
}

/** A program that runs, waits or has ended. Everything it holds is data. Every field is set from the start: the host is quick only with objects of one form. */
export class Machine {
  readonly unit: Unit;
  readonly natives: Natives;
  readonly limits: ProgramLimits;
  readonly tracked: boolean;
  /** A write through a reference that a label chose may fail or not. */
  readonly mayFreeze: boolean;
  readonly toolNames: readonly string[];
  readonly freeTools: readonly string[];
  readonly toolsValue: ToolsValue = new ToolsValue();
  readonly host: MachineHost;
  /** Bit i of a label stands for name i. */
  readonly labelNames: string[];
  frame: Frame | undefined = undefined;
  readonly queue: Job[] = [];
  /** Async functions that wait; kept only where labels are tracked. */
  readonly waiting: Set<Frame> = new Set();
  root: PromiseValue = new PromiseValue();
  /** What the program was given, as `input`. */
  input: { readonly value: Value; readonly label: number } | undefined = undefined;
  readonly calls: CallEntry[] = [];
  readonly logs: LogEntry[] = [];
  readonly warnings: string[] = [];
  /** Promises that were rejected while nobody listened. */
  unseen: PromiseValue[] = [];
  steps = 0;
  /** The step at which the loop looks up: the limit, or a pause. */
  stop: number;
  memory = 0;
  /** The count of memory when the present built-in function began. */
  private workStart = Infinity;
  /** Lengths of texts that were put together and not read since. */
  readonly pieces: Set<number> = new Set();
  outputBytes = 0;
  callCount = 0;
  clock = 0;
  /** Where `Math.random` began. */
  seed: number;
  /** Where it is, for each context. */
  readonly seeds: Map<number, number> = new Map();
  /** The labels of all that the present instruction has read. */
  touched = 0;
  /** Of the receiver and the arguments of the native function that runs. */
  selfLabel = 0;
  argLabels: readonly number[] = noLabels;
  /** Of how many arguments there are. */
  countLabel = 0;
  /** How often an object was put into another one. */
  stores = 0;
  /** How often something new was noted of what labels decided. */
  noted = 0;
  /** What objects may hold, as it was looked up when so much was noted and stored. */
  readonly expanded: Map<GuestObject, ReadonlySet<GuestObject>> = new Map();
  expandedAt = -1;
  /** Work of following labels that is not counted as steps yet. */
  followed = 0;
  /** What references that led to no object might have led to, as labels decided. */
  readonly absent: Reached = new Map();
  /** What that stands for, as long as no object is put into another one. */
  absentFound: { readonly stores: number; readonly objects: ReadonlySet<GuestObject> } | undefined = undefined;
  /** Keys that an object was ever put under. */
  readonly objectKeys: Set<string> = new Set(["cause", "errors", "groups", "value"]);
  /** Labels that decided whether there is a promise to wait for. */
  waitsBy = 0;
  /** The labels that all carries from here on, as what they decided is too much to list. */
  carried = 0;
  /** Whether what was looked up last cannot be listed. */
  isUnlisted = false;
  isApplying = false;
  /** Work that is left for looking up what one label decided. */
  effort: number = Infinity;
  /** What stands for new objects while effects are applied: the same for all that may hold the same. */
  readonly standIns: StandIn[] = [];
  /** Functions within functions whose effects are being applied, or whose answers are being looked up. */
  effectDepth = 0;
  answerDepth = 0;
  answers = 0;
  /** What functions could name, while answers are looked up. */
  readonly named: Map<FunctionValue, readonly GuestObject[]> = new Map();
  /** Classes whose instances are being looked up. */
  readonly making: Set<FunctionValue> = new Set();
  /** Lists, objects, maps and sets that branches would have made, by where they stand. */
  readonly literals: Map<number, GuestObject> = new Map();
  /** Functions that branches would have made where there is no environment. */
  readonly written: Map<FunctionCode, Written> = new Map();
  /** The result of a native function that was called by nobody's frame. */
  landed: { value: Value; label: number } | undefined = undefined;
  /** The last property that was missing in an answer of a tool, for each label of what told so. */
  readonly missed: Map<number, { readonly tool: string; readonly key: string }> = new Map();
  /** What was thrown last, and where, for each label: a place under a label does not take the place of one without. */
  readonly thrown: Map<number, { readonly value: Value; readonly at: number }> = new Map();
  /** Measures what is held; set by the module that can. */
  measure: (machine: Machine) => { bytes: number; objects: number; copied: number };

  /** Where an error was made; set by the module that knows the places of the source. */
  trace: () => string = noTrace;

  constructor(options: MachineOptions, measure: Machine["measure"]) {
    this.unit = options.unit;
    this.natives = options.natives;
    this.limits = options.limits;
    this.tracked = options.unit.tracked;
    this.mayFreeze = options.unit.tracked && options.unit.text.includes("freeze");
    this.toolNames = options.tools;
    this.freeTools = options.freeTools;
    this.labelNames = options.labelNames;
    this.seed = options.seed;
    this.host = options.host;
    this.stop = options.limits.steps;
    this.measure = measure;
  }

  /** The label of what decided that the present code runs. */
  get context(): number {
    return this.frame?.context ?? this.carried;
  }

  /** Counts the work of a built-in function. */
  charge(steps: number): void {
    this.steps += steps;
    if (this.steps > this.limits.steps) this.stepLimit();
  }

  /** Counts the work of following labels: little of it is a step, so that a program can do as much with labels as without. */
  follow(work: number): void {
    this.effort -= work;
    if (this.effort < 0) throw tooMuch;
    this.followed += work;
    if (this.followed < 32) return;
    this.charge(this.followed >> 5);
    this.followed &= 31;
  }

  /** An object is put into another one. */
  noteStore(into: GuestObject, key?: string): void {
    this.stores++;
    if (key !== undefined) this.objectKeys.add(key);
    if (into.hints !== undefined) into.hints.holds = true;
  }

  /** Two texts of this length are compared, or one is looked up as a key. */
  compared(length: number): void {
    if (length > 256) this.charge(length >> 8);
  }

  /** A text was put together: the host copies it into one piece when it is first read. */
  joined(length: number): void {
    if (length < 1_024) return;
    if (this.pieces.size >= maximumPieces) this.pieces.delete(this.pieces.values().next().value as number);
    this.pieces.add(length);
  }

  /** A text is read. */
  read(length: number): void {
    if (length >= 1_024 && this.pieces.delete(length)) this.charge(length >> 9);
  }

  stepLimit(): never {
    throw new LimitReached(
      "steps",
      `The program took more than ${this.limits.steps.toLocaleString("en-US")} steps. Handle less data at once, or look for a loop that does not end.`,
    );
  }

  /** What a built-in function takes from here on is held, though nothing of the program refers to it yet. */
  beginWork(): void {
    this.workStart = this.memory;
  }

  endWork(): void {
    this.workStart = Infinity;
  }

  /** Counts memory before it is used. When the sum is too high, what is really held is measured. */
  allocate(bytes: number): void {
    this.memory += bytes;
    if (this.memory > this.limits.memoryBytes) this.collect(bytes);
  }

  private collect(bytes: number): void {
    const isTooMuch = bytes > this.limits.memoryBytes;
    const { bytes: held, objects, copied } = isTooMuch ? { bytes: Infinity, objects: 0, copied: 0 } : this.measure(this);
    // Taking and letting go of memory is work of the host, too.
    this.charge((objects >> 1) + (copied >> 9) + (this.limits.memoryBytes >> 13));
    const working = this.workStart === Infinity ? bytes : Math.max(0, this.memory - this.workStart);
    if (this.workStart !== Infinity) this.workStart = held;
    this.memory = held + working;
    // What is almost full would be measured again and again.
    if (this.memory > this.limits.memoryBytes * 0.95) {
      throw new LimitReached(
        "memory",
        `The program holds more than ${Math.round(this.limits.memoryBytes / 1024 / 1024)} MB. Keep only the fields that are needed, or handle less data at once.`,
      );
    }
  }

  makeError(name: ErrorName, message: string): ObjectValue {
    const error = new ObjectValue();
    error.cls = this.natives.globals.get(name) as NativeValue;
    error.slots.set("message", message);
    error.slots.set("stack", `${name}: ${message}${this.trace()}`);
    error.hidden = new Set(["message", "stack"]);
    if (this.tracked) {
      const label = this.touched | this.context;
      if (label !== 0) error.labels = new Map([["message", label], ["stack", label]]); // prettier-ignore
    }
    this.allocate(720 + message.length * 2);
    return error;
  }

  fail(name: ErrorName, message: string): never {
    throw new GuestThrow(this.makeError(name, message), this.touched);
  }

  /** A function of the prelude, by its name. */
  preludeFunction(name: string): FunctionValue {
    return this.natives.preludeFunction(name, this.tracked);
  }

  functionCode(index: number): FunctionCode {
    return this.unit.functions[index] as FunctionCode;
  }
}

/** Thrown where looking up what a label decided takes too much work. */
export const tooMuch: unique symbol = Symbol("too much");

const noLabels: readonly number[] = [];
const noTrace = (): string => "";
const maximumPieces = 64;
