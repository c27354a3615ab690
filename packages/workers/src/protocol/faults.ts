import { type ErrorCode, errorCodes, ToolError } from "@toolrack/core";
import type { Fault } from "./messages.ts";

export function toFault(error: unknown): Fault {
  if (!(error instanceof Error)) return { message: `It threw ${typeof error === "string" ? error : "something that is no error"}.` };
  if (!ToolError.is(error)) return { message: error.message };
  const { message, code, retryable, retryAfterMs } = error;
  return { message, code, retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Codes that a worker cannot give: they say what the registry decided. */
const ours: ReadonlySet<string> = new Set<ErrorCode>([
  "TOOL_NOT_FOUND",
  "TOOL_DISABLED",
  "TOOL_HELD",
  "APPROVAL_REQUIRED",
  "APPROVAL_DENIED",
  "CALL_NOT_RECORDED",
  "TOOL_NOT_ALLOWED",
  "BUDGET_EXCEEDED",
  "LOOP_DETECTED",
  "DEPTH_EXCEEDED",
  "CIRCUIT_OPEN",
  "OUTCOME_UNKNOWN",
  "WORKER_LOST",
]);

/**
 * What the handler threw, as if it had thrown here. A code that is not known, or that is ours to give, is a failure of the tool. It comes from
 * another machine, so that any of it may be anything.
 */
export function fromFault(fault: unknown): Error {
  const { message, code, retryable, retryAfterMs } = (typeof fault === "object" && fault !== null ? fault : {}) as Record<
    keyof Fault,
    unknown
  >;
  const text = typeof message === "string" ? message : "It failed, and did not say how.";
  if (typeof code !== "string" || !Object.hasOwn(errorCodes, code) || ours.has(code)) return new Error(text);
  return new ToolError(code as ErrorCode, text, {
    ...(typeof retryable === "boolean" && { retryable }),
    ...(typeof retryAfterMs === "number" && retryAfterMs >= 0 && retryAfterMs < Infinity && { retryAfterMs }),
  });
}
