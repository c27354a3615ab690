import type { ErrorCode, ToolResult } from "@toolrack/core";
import { toReceipt } from "@toolrack/core/internal";
import type { StoredCall } from "./call-body.ts";

/** A result as its caller got it: complete, except for what was redacted or truncated, or a receipt if it was not for the model. */
export function toStoredResult(call: StoredCall): ToolResult {
  const { callId, tool, version, durationMs, waitedMs, parentCallId, deliver, output, error } = call;
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
  if (deliver === "user" || deliver === "none") return toReceipt({ meta }, deliver);
  return typeof output === "string"
    ? { ok: true, content: output, meta }
    : { ok: true, content: JSON.stringify(output) ?? "", data: output, meta };
}
