import type { FunctionCode, Unit } from "../compile/code.ts";
import type { Env, FunctionValue, PromiseValue, Slot, Value } from "./values.ts";

export interface Handler {
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
  readonly handlers: Handler[] = [];
  self: Slot;
  selfLabel = 0;
  args: Value[];
  argLabels: number[];
  /** What `new` was used on. */
  newTarget: Value = undefined;
  /** Where the result goes; an async function that was suspended has none. */
  caller: Frame | undefined;
  /** Of an async function. */
  promise: PromiseValue | undefined;
  /** Where the result goes when no frame waits for it: the promise of `then`. */
  settles: PromiseValue | undefined;
  /** Number of frames below it. */
  depth = 0;
  /** The label of what decided that this code runs. */
  context = 0;
  /** As it was when the function began. */
  entry = 0;
  readonly contexts: number[] = [];
  /** An exception may have left this function, depending on this. */
  mayThrow = 0;
  /** What decided how often and whether it waited. */
  timing = 0;

  constructor(unit: Unit, fn: FunctionCode, func: FunctionValue | undefined, env: Env | undefined, self: Slot, args: Value[], argLabels: number[]) {
    this.unit = unit;
    this.fn = fn;
    this.code = fn.code;
    this.func = func;
    this.env = env;
    this.self = self;
    this.args = args;
    this.argLabels = argLabels;
    this.locals = new Array<Slot>(fn.locals).fill(undefined);
    this.localLabels = unit.tracked ? new Array<number>(fn.locals).fill(0) : noLabels;
  }
}

const noLabels: number[] = [];
