import type { ToolDefinition } from "@toolrack/core";

/** Handlers that go on where they were when they are called again with the same id of the call. */
const handlers = new WeakSet<object>();

export function markResumable<Handler extends ToolDefinition["handler"]>(handler: Handler): Handler {
  handlers.add(handler);
  return handler;
}

/** True for a tool whose cut off call may be made again, although it is neither read-only nor idempotent. */
export function isResumable({ handler }: ToolDefinition): boolean {
  return handlers.has(handler);
}
