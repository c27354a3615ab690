import type { Caller } from "../../tool/context.ts";
import type { Deliver } from "../../tool/deliver.ts";
import type { ToolResult } from "../../tool/result.ts";
import { checkFields, type Fields, positive } from "../../util/check-fields.ts";

/** One finished call. */
export interface CallRecord {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly caller: Caller;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly result: ToolResult;
  /** The stack of a failed call: kinds of errors and locations in the code, without messages. Never part of the result. */
  readonly stack?: string;
  readonly parentCallId?: string;
  /** What is known of the arguments, by JSON Pointer. */
  readonly labels?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Who got the result, if not the model alone. The record has the whole result in any case. */
  readonly deliver?: Exclude<Deliver, "model"> | undefined;
  /** `begin` failed for this call, so its handler did not run. */
  readonly notBegun?: true;
  /** The trace context that the call was made with. */
  readonly trace?: unknown;
  /** A person approved this call, now or earlier. */
  readonly isApproved?: true | undefined;
  /** It waited for a person, and ended before its handler ran. */
  readonly isAsked?: true;
}

/** One call that is about to run. */
export type CallStart = Omit<CallRecord, "result" | "stack" | "notBegun" | "trace" | "isApproved" | "isAsked" | "labels" | "deliver">;

/** Records calls. An error of `record` becomes a warning of the call, and never changes its result. */
export interface Recorder {
  /**
   * Called after a call was permitted and validated, before its handler runs. If it throws or rejects, the handler does not run and
   * the call fails with CALL_NOT_RECORDED: no call runs unrecorded.
   */
  begin?(call: CallStart): void | Promise<void>;
  /** May resolve with a result: if another end of the call is already recorded, the caller gets that one. */
  record(record: CallRecord): void | Promise<void | ToolResult>;
}

/** The newest calls, in the process. */
export function createMemoryRecorder(options: { readonly limit?: number } = {}): Recorder & { readonly calls: readonly CallRecord[] } {
  checkFields(options, recorderFields, { subject: "createMemoryRecorder", word: "option" });
  const limit = options.limit ?? 1_000;
  const calls: CallRecord[] = [];
  return {
    calls,
    record(record) {
      calls.push(record);
      if (calls.length > limit) calls.shift();
    },
  };
}

const recorderFields: Fields = { limit: positive };
