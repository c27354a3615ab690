import type { Caller, UserChannel } from "@toolrack/core";
import { type CallLog, isCutText, type StoredCall } from "@toolrack/store";

/** A result for the user, as the stream of events and webhooks show it. */
export interface ShownResult {
  readonly callId: string;
  readonly tool: string;
  /** For whom the call was made. */
  readonly for: Pick<Caller, "tenant" | "agent" | "sender" | "session" | "channel" | "group">;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly output: unknown;
  /** Images and the like. */
  readonly blocks?: StoredCall["blocks"];
}

/**
 * The channel of a server is its log of calls: streams of events and webhooks read results for the user from there, on every server, also those
 * that come later. So a result is shown when its call is in the log, whole.
 */
export function createUserChannel(calls: Pick<CallLog, "show">): UserChannel {
  return {
    async show({ callId }) {
      const stored = await calls.show(callId);
      if (stored === undefined) throw new Error("The call is not recorded yet: the store does not accept the ends of calls.");
      if (isCutText(stored.output) || isCutText(stored.blocks)) throw new Error("The result is too large to be recorded, and was cut.");
    },
  };
}

export function isForUser({ deliver }: Pick<StoredCall, "deliver">): boolean {
  return deliver === "user" || deliver === "both";
}

export function toShownResult({ callId, tool, caller, startedAt, durationMs, output, blocks }: StoredCall): ShownResult {
  const { tenant, agent, sender, session, channel, group } = caller;
  const whom = Object.entries({ tenant, agent, sender, session, channel, group }).filter(([, value]) => value !== undefined);
  return {
    callId,
    tool,
    for: Object.fromEntries(whom),
    at: startedAt + durationMs,
    output,
    ...(blocks !== undefined && { blocks }),
  };
}
