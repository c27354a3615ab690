import type { ErrorCode, ToolResult } from "@toolrack/core";
import type { StoredCall } from "./call-body.ts";

/** A result as the log stored it: complete, except for what was redacted or truncated. */
export function toStoredResult(call: StoredCall): ToolResult {
  const { callId, tool, version, durationMs, waitedMs, parentCallId, output, error } = call;
  const meta = {
    callId,
    tool,
    durationMs,
    ...(waitedMs !== undefined && { waitedMs }),
    ...(version !== undefined && { version }),
    ...(parentCallId !== undefined && { parentCallId }),
  };
  if (error !== undefined)
    return { ok: false, error: error.message, code: error.code as ErrorCode, status: error.status, retryable: error.retryable, meta };
  return typeof output === "string"
    ? { ok: true, content: output, meta }
    : { ok: true, content: JSON.stringify(output) ?? "", data: output, meta };
}
