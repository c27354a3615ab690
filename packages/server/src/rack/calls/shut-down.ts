import { ToolError } from "@toolrack/core";

/** Why a call is cut that did not end within the grace period. It may be made again where that does no harm: another server takes it. */
export function shutDown(): ToolError {
  return new ToolError("ABORTED", "The server shut down before the call ended.", { retryAfterMs: 1_000 });
}
