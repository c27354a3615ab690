import type { ToolResult } from "@toolrack/core";
import type { ToolCall } from "@toolrack/core/vendors";
import type { WaitingCall } from "../events.ts";
import type { AssistantMessage } from "../message.ts";
import type { OpenCalls } from "../transcript/transcript.ts";
import { callMemoryOf } from "./call-memory.ts";
import { makeCall, namedCall, toolOf, waitsFor } from "./make-call.ts";
import { type CallScope, refuse } from "./scope.ts";

/** So many calls of one reply are made. The rest is answered as refused. */
export const maxCallsInReply = 64;
/** So many are kept in the message; the rest is left out of it. */
export const maxCallsInMessage = 1_024;

const atOnce = 16;

/** A reply with a million calls becomes one that can be stored and answered. */
export function cutCalls(message: AssistantMessage): AssistantMessage {
  return message.calls.length <= maxCallsInMessage ? message : { ...message, calls: message.calls.slice(0, maxCallsInMessage) };
}

/** `<message>/<call>`: the same after a kill, and never that of another call. */
export function callIdOf(session: string, seq: number, index: number): string {
  return `${session}.${seq}/${index + 1}`;
}

export interface AnsweredCalls {
  /** In the order of the calls; null where a person has to be asked first, or the call has not begun because of that. */
  readonly results: readonly (ToolResult | null)[];
  readonly waiting: readonly WaitingCall[];
}

/** The result of a call that is known already, by its number. */
export type KnownResult = (index: number) => ToolResult | undefined;

/** Makes the calls of a message: those that only read at the same time, otherwise one after the other. */
export async function answerCalls(
  { seq, message }: OpenCalls,
  session: string,
  scope: CallScope,
  known: KnownResult = () => undefined,
): Promise<AnsweredCalls> {
  const { calls } = message;
  const results: (ToolResult | null)[] = calls.map((_, index) => known(index) ?? null);
  for (const result of results) if (result !== null) scope.progress.note(result);
  const waiting: WaitingCall[] = [];
  const areTogether = calls.every((call) => mayRunTogether(call, scope));

  async function answer(index: number): Promise<void> {
    const call = calls[index]!;
    const callId = callIdOf(session, seq, index);
    const { name: tool, input } = namedCall(call, scope);
    if (index >= maxCallsInReply) {
      const fact = `Tool "${tool}" was not called: of one reply only the first ${maxCallsInReply} calls are made.`;
      results[index] = refuse("BUDGET_EXCEEDED", `${fact} Make fewer calls at a time.`, callId, tool);
      return;
    }
    const result = await makeCall(call, callId, scope);
    const approval = waitsFor(result);
    if (approval !== undefined && !scope.signal.aborted) {
      callMemoryOf(scope.registry).forget([callId]);
      waiting.push({ callId, tool, input, approval });
      return;
    }
    results[index] = result;
    scope.meter.noteOutcome(result.ok);
    scope.progress.note(result);
  }

  const open = [...calls.keys()].filter((index) => results[index] === null);
  if (areTogether) {
    const next = open.values();
    await Promise.all(
      Array.from({ length: Math.min(atOnce, open.length) }, async () => {
        for (const index of next) await answer(index);
      }),
    );
  } else {
    for (const index of open) {
      await answer(index);
      // What comes later may depend on it.
      if (waiting.length > 0) break;
    }
  }
  return { results, waiting };
}

/** What only reads, and needs nothing that another call of the same reply may produce. */
function mayRunTogether(call: ToolCall, scope: CallScope): boolean {
  if (call.error !== undefined) return true;
  const metadata = toolOf(call, scope)?.metadata;
  return metadata?.annotations?.readOnly === true && metadata.consumes === undefined;
}
