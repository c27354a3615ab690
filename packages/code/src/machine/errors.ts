import type { LimitName } from "../limits.ts";
import type { ObjectValue, Value } from "./values.ts";

/** An exception of the program, on its way to a handler. */
export class GuestThrow {
  readonly value: Value;
  label: number;
  constructor(value: Value, label: number) {
    this.value = value;
    this.label = label;
  }
}

/** The end of a program that no handler can stop. */
export class LimitReached {
  readonly limit: LimitName;
  readonly message: string;
  constructor(limit: LimitName, message: string) {
    this.limit = limit;
    this.message = message;
  }
}

/** Something that the language leaves out and that could be seen only while running. */
export type ErrorName =
  | "Error"
  | "TypeError"
  | "RangeError"
  | "SyntaxError"
  | "ReferenceError"
  | "URIError"
  | "EvalError"
  | "AggregateError"
  | "ToolError";

export interface ErrorMaker {
  makeError(name: ErrorName, message: string): ObjectValue;
  readonly touched: number;
}

/** Ends the present instruction with an exception. Its label is what was read so far. */
export function fail(machine: ErrorMaker, name: ErrorName, message: string): never {
  throw new GuestThrow(machine.makeError(name, message), machine.touched);
}
