import type { CallRecord, ToolResult } from "@toolrack/core";
import type { LineContent } from "../engine/audit.ts";
import type { OpenCall } from "./open-calls.ts";

/** The begin or the end of a call, to be written in one page with others. */
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
  /** Its text for the log; undefined until it is prepared. */
  content: LineContent | undefined;
  /** The result that was recorded already: then this line was not written. */
  recorded: ToolResult | undefined;
  /** It is saved in the backlog, and written later. */
  isSaved?: boolean;
}
