import { createHash } from "node:crypto";
import { type CallContext, ToolError } from "@toolrack/core";
import type { Attachment, Channel, SentMessage } from "./channels/channel.ts";
import type { SendLog } from "./send-log.ts";

export interface Sending {
  readonly channel: Channel;
  /** The channel's name in the options. */
  readonly name: string;
  readonly target: string;
  readonly text: string;
  readonly subject?: string | undefined;
  readonly replyTo?: string | undefined;
  readonly threadId?: string | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
  /** A poll, with the text as its question. */
  readonly poll?: { readonly options: readonly string[]; readonly multiple: boolean } | undefined;
}

/** What is kept about a message: nothing of its text. */
type Kept = SentMessage | { readonly unknown: string };

/**
 * Sends a message unless the same call has begun to send it before: then its outcome is given again, or that nobody knows it. A call keeps its
 * id when it is made again after a crash.
 */
export async function sendOnce(
  log: SendLog,
  { callId, caller, signal }: Pick<CallContext, "callId" | "caller" | "signal">,
  sending: Sending,
): Promise<SentMessage> {
  const { channel, name, target, text, subject, replyTo, threadId, attachments = [], poll } = sending;
  const owner = caller.principal ?? caller.agent ?? "";
  const key = digestOf([owner, callId, name, target]);
  const files = attachments.map((file) => [file.name, createHash("sha256").update(file.bytes).digest("hex")]);
  const request = digestOf([channel.id, text, subject ?? null, replyTo ?? null, threadId ?? null, files, poll ?? null]);
  const recorded = await log.once<Kept>({ key, caller: owner, request }, async () => {
    try {
      if (poll !== undefined) return await channel.poll!({ target, threadId, question: text, ...poll, key, signal });
      return await channel.send({ target, text, subject, replyTo, threadId, attachments, key, signal });
    } catch (error) {
      // It may have been sent, so the key must not become free again.
      if (ToolError.is(error) && error.code === "OUTCOME_UNKNOWN") return { unknown: error.message };
      throw error;
    }
  });
  if (recorded.outcome === "different")
    throw new ToolError("TOOL_FAILED", "This call has already sent another message to the same recipient. Make a new call.", {
      retryable: false,
    });
  if (recorded.outcome === "unknown")
    throw notSentAgain(
      `The message to "${target}" was begun before and may have been sent; it is not sent again. Look there before you repeat it.`,
    );
  if ("unknown" in recorded.value) throw notSentAgain(recorded.value.unknown);
  return recorded.value;
}

function notSentAgain(fact: string): ToolError {
  return new ToolError("OUTCOME_UNKNOWN", fact, { retryable: false });
}

function digestOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
