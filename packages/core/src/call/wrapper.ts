import type { JsonObject } from "@toolrack/json-schema/internal";
import { type ErrorCode, ToolError } from "../errors.ts";
import type { Caller } from "../tool/context.ts";
import type { FailureDetails, ToolFailure, ToolResult } from "../tool/result.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import type { Clock } from "../util/clock.ts";
import type { Approval } from "./ports/approver.ts";

/**
 * Something done around every call of a tool. Each wrapper is one leaf; their order is one list.
 *
 * Contract: no method throws, rejects or uses `this`; a wrapper that has nothing to do for a tool says so in `appliesTo` and then costs
 * nothing; whatever a call opened (timers, listeners, places in a queue) is closed when its result is there, also when the
 * call is aborted; nothing is kept per call afterwards, and what is kept per tool or caller is bounded.
 */
export interface Wrapper {
  /** Printed by `registry.wrappers(name)`. */
  readonly name: string;
  appliesTo?(tool: ToolDefinition): boolean;
  /** Before validation: the same input under its canonical names. Returns the input it was given where nothing changes. */
  prepare?(input: JsonObject, call: Call): JsonObject;
  /** After validation: a failure refuses the call, and no later wrapper can undo that. */
  beforeRun?(call: Call): ToolFailure | undefined | Promise<ToolFailure | undefined>;
  /** Around the handler. `next` never throws or rejects. */
  run?(next: Run): Run;
  /**
   * Asked once the handler makes its caller wait, for calls with a signal or a deadline. Answers what it armed, to be disarmed when
   * the wait is over; undefined where it armed nothing.
   */
  interrupt?(call: Call, waiting: Waiting): Armed | undefined;
  /** On the way out, for successes and failures alike, also for a failure of `beforeRun` of a later wrapper. */
  finish?(result: ToolResult, call: Call): ToolResult | Promise<ToolResult>;
  /** True where `finish` has nothing to do for a result of this tool that is a text of at most `shortText` characters and nothing else, or a failure with one. */
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

/** What may end a wait, until it is disarmed. */
export interface Armed {
  /** For the wait, which links all that is armed. */
  next: Armed | undefined;
  disarm(): void;
}

/** Well below every limit on the size of results. */
export const shortText = 256;

export type Run = (call: Call) => ToolResult | Promise<ToolResult>;

/** One call on its way, as wrappers see it. */
export interface Call {
  readonly callId: string;
  readonly tool: ToolDefinition;
  readonly caller: Caller;
  /** The tools whose calls led to this one, the nearest first. */
  readonly parents: readonly string[];
  /** The validated input; a before-call hook may have changed it. */
  input: JsonObject;
  /** Aborted when the caller cancels or the deadline passes; made only when read. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The caller's own signal, where one was given. */
  readonly callerSignal: AbortSignal | undefined;
  /** Whether the handler was started; where that is not known, it may have been. */
  readonly hasStarted?: boolean;
  /** When the handler's turn came, in milliseconds since 1970. */
  readonly runsSince: number;
  /** How long the handler may take, waits included, where it is bounded. */
  readonly timeoutMs: number | undefined;
  /** The answers of people that the call brought along. */
  readonly approval: Approval | readonly Approval[] | undefined;
  /** The digest of the arguments that a person agreed to, where one was asked about this call. */
  agreed?: string | undefined;
  /** Aborts `signal`, now or as soon as it is made. */
  cancel(reason: unknown): void;
  /** Puts another input in place, validated like the first; answers the failure where it is not valid. */
  replaceInput(input: unknown): ToolFailure | undefined | Promise<ToolFailure | undefined>;
  /** How often the handler was started; the retry wrapper counts here. */
  attempts: number;
  /** Adds a line to `meta.warnings`. */
  warn(text: string): void;
  /** A failure of this call, with its meta. */
  fail(code: ErrorCode, error: string, more?: FailureDetails): ToolFailure;
}
