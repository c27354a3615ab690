import type { ToolDefinition, ToolResult } from "@toolrack/core";
import { leavesKeyFree } from "@toolrack/core/internal";
import { type CallLog, toStoredResult } from "@toolrack/store";

/** A call whose server is gone. */
export interface UnfinishedCall {
  readonly callId: string;
  readonly tool: string;
  /** The server that had it. */
  readonly server: string;
}

/** What is known of it: its true end; that it may be made again; or that nobody knows whether the tool did its work. */
export type UnfinishedOutcome = { readonly result: ToolResult } | "again" | "unknown";

export interface UnfinishedOptions {
  readonly calls: Pick<CallLog, "abandon" | "show">;
  toolOf(name: string): Pick<ToolDefinition, "metadata"> | undefined;
  /** Calls may have run although their start was not recorded (`audit.onFailure: warn`): a call that is not in the log may have, too. */
  readonly mayRunUnrecorded?: boolean;
}

/** Finds out what came of a call whose server lost its lease. The one rule for everything that waits for such a call. */
export async function settleUnfinished(
  { callId, tool, server }: UnfinishedCall,
  { calls, toolOf, mayRunUnrecorded = false }: UnfinishedOptions,
): Promise<UnfinishedOutcome> {
  // From then on the log tells of each of its calls that began, and the server can write nothing more for them.
  await calls.abandon(server);
  const stored = await calls.show(callId);
  const { readOnly, idempotent } = toolOf(tool)?.metadata?.annotations ?? {};
  const unknown = readOnly === true || idempotent === true ? "again" : "unknown";
  if (stored === undefined) return mayRunUnrecorded ? unknown : "again"; // it never began
  const result = toStoredResult(stored);
  if (leavesKeyFree(result)) return "again"; // it did nothing
  if (stored.error?.type !== "abandoned") return { result };
  return unknown;
}
