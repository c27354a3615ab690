import type { JsonObject } from "@toolrack/json-schema/internal";
import { type ErrorCode, ToolError } from "../errors.ts";
import type { Caller } from "../tool/context.ts";
import type { FailureDetails, ToolFailure, ToolResult } from "../tool/result.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import type { Clock } from "../util/clock.ts";
import type { PersonWaits } from "./person-waits.ts";
import type { Approval } from "./ports/approver.ts";
import type { AbortSignal } from "../util/abort-signal.ts";

/**
 * Something done around every call of a tool. Each wrapper is one leaf; `chain.ts` has their order.
 *
 * Contract: no method throws, rejects or uses `this`; a wrapper that has nothing to do for a tool says so in `appliesTo` and then costs
 * nothing; whatever a call opened (timers, listeners, slots in a queue) is closed when it has a result, also when the
 * call is aborted; nothing is kept per call afterwards, and what is kept per tool or caller is bounded.
 */
export interface Wrapper {
  /** Printed by `registry.wrappers(name)`. */
  readonly name: string;
  appliesTo?(tool: ToolDefinition): boolean;
  /** Before validation: the input under its canonical names. Returns the given input if nothing changes. */
  prepare?(input: JsonObject, call: Call): JsonObject;
  /** After validation: a failure refuses the call, and no later wrapper can undo that. */
  beforeRun?(call: Call): ToolFailure | undefined | Promise<ToolFailure | undefined>;
  /** Around the handler. `next` never throws or rejects. */
  run?(next: Run): Run;
  /**
   * Called when the handler is asynchronous, for calls with a signal or a deadline. Returns what it armed, to be disarmed when
   * the wait is over; undefined if it armed nothing.
   */
  interrupt?(call: Call, waiting: Waiting): Armed | undefined;
  /** After the handler, for successes and failures, including a failure of `beforeRun` of a later wrapper. */
  finish?(result: ToolResult, call: Call): ToolResult | Promise<ToolResult>;
  /** True if `finish` does nothing for results of this tool that are only a text of at most `shortText` characters, or a failure with such a text. */
  skipsShortText?(tool: ToolDefinition): boolean;
}

/** Refuses a wrapper with the method that was once called `admit`: a check that is never run would let calls through. */
export function assertWrapper(wrapper: Wrapper): void {
  if (!("admit" in wrapper)) return;
  const message = `The wrapper "${wrapper.name}" has a method admit, which is not called any more. Rename it to beforeRun.`;
  throw new ToolError("CONFIG_INVALID", message);
}

/** A call that waits for its handler. */
export interface Waiting {
  /** Ends the wait early; what comes later is ignored. */
  end(failure: ToolFailure): void;
}

/** Something that may end a wait until it is disarmed. */
export interface Armed {
  /** Used by the wait: a linked list of all that is armed. */
  next: Armed | undefined;
  disarm(): void;
}

/** Well below every limit on the size of results. */
export const shortText = 256;

export type Run = (call: Call) => ToolResult | Promise<ToolResult>;

/** One call, as wrappers see it. */
export interface Call {
  readonly callId: string;
  readonly tool: ToolDefinition;
  readonly caller: Caller;
  /** The tools whose calls led to this one, nearest first. */
  readonly parents: readonly string[];
  /** The validated input; a before-call hook may have changed it. */
  input: JsonObject;
  /** The input as people see it: without secrets. @default the input itself */
  readonly shownInput?: JsonObject;
  /** Aborted when the caller cancels or the deadline passes; created when first read. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The caller's own signal, if one was given. */
  readonly callerSignal: AbortSignal | undefined;
  /** Whether the handler was started; undefined: it may have been. */
  readonly hasStarted?: boolean;
  /** Since when the time limit counts, in milliseconds since 1970. */
  readonly runsSince: number;
  /** The time limit of the handler, including waits but not those for people, if there is one. */
  readonly timeoutMs: number | undefined;
  /** The waits of the handler for people; absent until the first one. */
  readonly personWaits?: PersonWaits | undefined;
  /** Waits for a person: the time limits of this call and of those that led to it stand still until the answer is there. */
  waitForPerson?<Answered>(answer: () => Promise<Answered>): Promise<Answered>;
  /** The answers of people that the call carries. */
  readonly approval: Approval | readonly Approval[] | undefined;
  /** The digest of the arguments that a person approved, if one was asked about this call. */
  agreed?: string | undefined;
  /** Aborts `signal`, now or as soon as it is created. */
  cancel(reason: unknown): void;
  /** Replaces the input and validates it; returns the failure if it is not valid. */
  replaceInput(input: unknown): ToolFailure | undefined | Promise<ToolFailure | undefined>;
  /** The result of the handler, if its text is its data as JSON: neither is larger than the other. */
  readonly asJson?: ToolResult | undefined;
  /** How often the handler was started; counted by the retry wrapper. */
  attempts: number;
  /** Adds a line to `meta.warnings`. */
  warn(text: string): void;
  /** A failure of this call, with its meta. */
  fail(code: ErrorCode, error: string, more?: FailureDetails): ToolFailure;
}
