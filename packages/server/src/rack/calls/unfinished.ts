import type { ToolDefinition, ToolResult } from "@toolrack/core";
import { leavesKeyFree } from "@toolrack/core/internal";
import { type CallLog, toStoredResult } from "@toolrack/store";

/** A call whose server ended. */
export interface UnfinishedCall {
  readonly callId: string;
  readonly tool: string;
  /** The server that ran it. */
  readonly server: string;
}

/** Its result; "again" if it may be repeated; "unknown" if nobody knows whether the tool did its work. */
export type UnfinishedOutcome = { readonly result: ToolResult } | "again" | "unknown";

export interface UnfinishedOptions {
  readonly calls: Pick<CallLog, "abandon" | "show">;
  toolOf(name: string): Pick<ToolDefinition, "metadata"> | undefined;
  /** Whether calls may run although their start was not recorded (`audit.onFailure: warn`): then a call that is not in the log may have run. */
  readonly mayRunUnrecorded?: boolean;
}

/** Finds the outcome of a call whose server lost its lease: one rule for everything that waits for such a call. */
export async function settleUnfinished(
  { callId, tool, server }: UnfinishedCall,
  { calls, toolOf, mayRunUnrecorded = false }: UnfinishedOptions,
): Promise<UnfinishedOutcome> {
  // From then on the log has each of its calls that started, and the server can write nothing more for them.
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
