import type { CallRecord, ToolResult } from "@toolrack/core";
import type { LineContent } from "../engine/audit.ts";
import type { OpenCall } from "./open-calls.ts";

/** What is written together with others: that a call began, or its end in the place of that. */
export type Line = BeginLine | EndLine;

export interface BeginLine {
  readonly type: "begin";
  readonly call: OpenCall;
}

export interface EndLine {
  readonly type: "end";
  readonly record: CallRecord;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly call: OpenCall | undefined;
  /** What was written down of it; undefined before that. */
  content: LineContent | undefined;
  /** The end that was on record already, where there was one: this line was not written. */
  recorded: ToolResult | undefined;
  /** The store did not take it, and it is written later. */
  isSaved?: boolean;
}
