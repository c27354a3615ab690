import { isPlainData } from "./plain-data.ts";
import { toResult, type ToolResult } from "./result.ts";
import type { ReturningCall } from "./returning-call.ts";
import type { readUnusual } from "./unusual-return.ts";

/** Most handlers return text or plain data: what reads all else is loaded when it is first needed. */
let unusual: typeof readUnusual | undefined;

/** Turns whatever a handler returned into a result. Never throws or rejects. A stream is read to its end. */
export function readReturned(returned: unknown, call: ReturningCall): ToolResult | Promise<ToolResult> {
  if (typeof returned === "string" || returned === undefined) return toResult(returned, call.meta());
  try {
    if (isPlainData(returned) && !isStream(returned)) return readPlain(returned, call);
  } catch {
    // A value that cannot be looked at is read again, with care.
  }
  if (unusual !== undefined) return unusual(returned, call);
  return import("./unusual-return.ts").then((loaded) => (unusual = loaded.readUnusual)(returned, call));
}

function isStream(value: unknown): boolean {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function readPlain(returned: unknown, call: ReturningCall): ToolResult {
  const result = toResult(returned, call.meta());
  if (result.ok && result.data === returned) call.asJson = result;
  return result;
}
