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
    if (isPlainData(returned) && !isUnusual(returned)) return readPlain(returned, call);
  } catch {
    // A value that cannot be looked at is read again, with care.
  }
  if (unusual !== undefined) return unusual(returned, call);
  return import("./unusual-return.ts").then((loaded) => (unusual = loaded.readUnusual)(returned, call));
}

/** A stream, or an object that may hold content blocks or a flag for errors. */
function isUnusual(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return typeof (value[0] as { type?: unknown } | null | undefined)?.type === "string";
  const { content, blocks } = value as { content?: unknown; blocks?: unknown };
  const isFlagged = "isError" in value || "is_error" in value;
  return isFlagged || blocks !== undefined || Array.isArray(content) || Symbol.asyncIterator in value;
}

function readPlain(returned: unknown, call: ReturningCall): ToolResult {
  const result = toResult(returned, call.meta());
  if (result.ok && result.data === returned) call.asJson = result;
  return result;
}
