import type { Caller } from "../../tool/context.ts";
import type { ToolResult } from "../../tool/result.ts";

/** One finished call. */
export interface CallRecord {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly caller: Caller;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly result: ToolResult;
  /** Where a failed call threw: kinds of errors and places in the code, without their messages. Never part of the result. */
  readonly stack?: string;
  readonly parentCallId?: string;
  /** `begin` failed for this call, so its handler did not run. */
  readonly notBegun?: true;
  /** What the call was made with as `trace`. */
  readonly trace?: unknown;
  /** A person agreed to this call, now or earlier. */
  readonly isApproved?: true | undefined;
}

/** One call that is about to run. */
export type CallStart = Omit<CallRecord, "result" | "stack" | "notBegun" | "trace" | "isApproved">;

/** Keeps the history of calls. What `record` throws is reported as a warning of the call, and never changes its outcome. */
export interface Recorder {
  /**
   * Told of a call after it was permitted and checked, before its handler runs. Where it throws or rejects, the handler does not run and
   * the call answers CALL_NOT_RECORDED: nothing runs that nobody knows of.
   */
  begin?(call: CallStart): void | Promise<void>;
  /** May resolve with a result: another end of the call is on record, and its caller is answered with that one. */
  record(record: CallRecord): void | Promise<void | ToolResult>;
}

/** The newest calls, in the process. */
export function createMemoryRecorder(options: { readonly limit?: number } = {}): Recorder & { readonly calls: readonly CallRecord[] } {
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
