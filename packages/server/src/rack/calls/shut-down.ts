import { ToolError } from "@toolrack/core";

/** The error of a call that did not end within the grace period. It may be retried on another server, if that is safe. */
export function shutDown(): ToolError {
  return new ToolError("ABORTED", shutDownText, { retryAfterMs: 1_000 });
}

/** Why a call is cancelled after others recorded its end. */
export const outOfContact = "The server was out of contact for longer than its lease, and the call was ended.";

const shutDownText = "The server shut down before the call ended.";

/** Whether the server leaves the call, and not its caller. */
export function isLeft(reason: unknown): boolean {
  return reason instanceof Error && (reason.message === shutDownText || reason.message === outOfContact);
}
