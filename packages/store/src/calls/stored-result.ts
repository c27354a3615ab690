import type { ErrorCode, ToolResult } from "@toolrack/core";
import type { StoredCall } from "./call-body.ts";

/** What the log keeps of a result: all of it, but for what was hidden or too large. */
export function toStoredResult(call: StoredCall): ToolResult {
  const { callId, tool, version, durationMs, parentCallId, output, error } = call;
  const meta = {
    callId,
    tool,
    durationMs,
    ...(version !== undefined && { version }),
    ...(parentCallId !== undefined && { parentCallId }),
  };
  if (error !== undefined)
    return { ok: false, error: error.message, code: error.code as ErrorCode, status: error.status, retryable: error.retryable, meta };
  return typeof output === "string"
    ? { ok: true, content: output, meta }
    : { ok: true, content: JSON.stringify(output) ?? "", data: output, meta };
}
