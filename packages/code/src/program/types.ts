import type { Label } from "../labels/names.ts";
import type { LimitName, ProgramLimits } from "../limits.ts";

/** A call that a program made, in the order of their starts. */
export interface ProgramCall {
  readonly tool: string;
  readonly input: unknown;
  readonly ok: boolean;
  /** Of the input and of what decided that the call is made. */
  readonly labels: readonly Label[];
  /** By JSON Pointer: "/to" → its labels. */
  readonly inputLabels: Readonly<Record<string, readonly Label[]>>;
}

export interface ProgramLog {
  readonly text: string;
  readonly labels: readonly Label[];
}

export type ErrorKind = "syntax" | "unsupported" | "thrown" | "tool" | "refused" | "limit" | "internal";

export interface ProgramError {
  readonly kind: ErrorKind;
  /** What happened, the way out, and the line of the source. */
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly limit?: LimitName;
}

export type ProgramResult =
  | {
      readonly ok: true;
      /** Plain data; `null` without a `return`. */
      readonly value: unknown;
      readonly calls: readonly ProgramCall[];
      /** Joined over the value and the context of the `return`. */
      readonly labels: readonly Label[];
      readonly logs: readonly ProgramLog[];
      readonly steps: number;
      /** What the program may want to know: a failed call that nobody awaited, a key that was left out. */
      readonly warnings: readonly string[];
    }
  | {
      readonly ok: false;
      readonly error: ProgramError;
      readonly calls: readonly ProgramCall[];
      /** Of the message. */
      readonly labels: readonly Label[];
      readonly logs: readonly ProgramLog[];
      readonly steps: number;
      readonly warnings: readonly string[];
    };

/** A call as it is seen before it is made. */
export interface PendingCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly labels: readonly Label[];
  readonly inputLabels: Readonly<Record<string, readonly Label[]>>;
  /** Of what decided that the call is made. */
  readonly context: readonly Label[];
}

/**
 * What results carry: for each tool a list that holds for all of its result, or a function that answers labels by JSON Pointer. For a call that failed,
 * the function is called with `undefined`; all that it answers holds for the error. If it throws then, the error carries every label that is known, and
 * `untrusted`.
 */
export type ResultLabels =
  | Readonly<Record<string, readonly Label[]>>
  | ((call: PendingCall, result: unknown) => Readonly<Record<string, readonly Label[]>>);

export interface ProgramOptions {
  readonly limits?: Partial<ProgramLimits>;
  /** Without it and without `inputLabels`, labels are not tracked and cost nothing. */
  readonly labels?: ResultLabels;
  /** Tools whose results do not take the labels of their input. */
  readonly releases?: readonly string[];
  /**
   * Functions of the host that cost no call from the budget, and get all their arguments as a list: "search" is called as
   * `tools.search(…)`, "rack.search" as `rack.search(…)`.
   */
  readonly freeTools?: readonly string[];
  /** Sees each call before it is made, and may refuse it. */
  readonly onCall?: (call: PendingCall) => void | { readonly refuse: string };
  /** Plain data, which the program sees as the constant `input`. */
  readonly input?: unknown;
  /** What parts of the input carry, by JSON Pointer; "" is all of it. */
  readonly inputLabels?: Readonly<Record<string, readonly Label[]>>;
  /** The clock of the program. @default Date.now */
  readonly now?: () => number;
  /** Where `Math.random` begins. @default a random number */
  readonly seed?: number;
}

export type ToolFunction = (input: never) => unknown;

export interface RunOptions extends ProgramOptions {
  readonly tools: Readonly<Record<string, ToolFunction>>;
  /** Ends the program between two instructions; calls under way are left alone. */
  readonly signal?: AbortSignal;
}

export interface StartOptions extends ProgramOptions {
  /** The names of the tools that the program may call. */
  readonly tools: readonly string[];
  /** Stops also after so many steps, though there is something left to do. */
  readonly pauseAfter?: number;
}

/** How a call ended. */
export type CallAnswer =
  | { readonly callId: string; readonly result: unknown }
  | { readonly callId: string; readonly error: { readonly message: string; readonly code?: string; readonly retryable?: boolean } };
