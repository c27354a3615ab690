import { ToolError } from "@toolrack/core";

/** The error of a call that did not end within the grace period. It may be retried on another server, if that is safe. */
export function shutDown(): ToolError {
  return new ToolError("ABORTED", "The server shut down before the call ended.", { retryAfterMs: 1_000 });
}
