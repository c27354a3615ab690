import type { CallAnswer, PendingCall } from "@toolrack/code";
import type { CallContext } from "@toolrack/core";
import { askInside } from "./inside.ts";
import type { LiveParts } from "./live-parts.ts";
import { failureOf, toAnswer } from "./outcome.ts";
import type { Reach } from "./reach.ts";
import type { PendingRecord } from "./run-record.ts";

/** Makes the calls of one program: each is an ordinary call, as the caller of the program. */
export class InnerCalls {
  /** What answers carry besides what their tools declare, by the number of the call. */
  readonly told: Map<string, readonly string[]> = new Map();
  readonly #parts: InnerCallParts;
  readonly #context: CallContext;
  readonly #reach: Reach;
  readonly #isResumed: boolean;
  /** The calls of the outermost program and of all that it led to. */
  readonly #made: { count: number };

  constructor(parts: InnerCallParts, context: CallContext, reach: Reach, { isResumed, above }: InnerCallsOptions) {
    this.#parts = parts;
    this.#context = context;
    this.#reach = reach;
    this.#isResumed = isResumed;
    this.#made = above === undefined ? { count: 0 } : above.#made;
  }

  /** `stopped` tells why the program ends before the call is made. "replayed": the call was made before, by a newer state of the program. */
  async make(
    { callId, tool, input }: PendingCall,
    pending: PendingRecord,
    stopped: () => string | undefined,
  ): Promise<CallAnswer | "replayed"> {
    const { caller, signal } = this.#context;
    const { registry, reranker, passed, seen, calls } = this.#parts;
    if (this.#reach.inside.includes(tool))
      return askInside(tool, input, { tools: this.#reach.tools, caller, signal, reranker, seen }).then(
        (result) => ({ callId, result }),
        (error: unknown) => ({ callId, error: failureOf(error) }),
      );
    if (++this.#made.count > maxCallsOfAll) return { callId, error: { code: "RATE_LIMITED", message: tooManyText } };
    if (this.#isResumed) {
      const known = await calls.show(pending.callId).catch(() => "unreadable" as const);
      if (known === "unreadable") return { callId, error: { code: "STORE_UNAVAILABLE", message: unreadableText(tool), retryable: true } };
      if (known !== undefined) return "replayed";
    }
    const reason = stopped();
    if (reason !== undefined) return { callId, error: { code: "ABORTED", message: reason } };
    const labels = Object.keys(pending.labels).length > 0 ? { labels: pending.labels } : {};
    passed.await(pending.callId);
    const result = await this.#context.call(tool, input, { callId: pending.callId, ...labels });
    this.told.set(callId, passed.take(pending.callId));
    const definition = registry.view(caller).offered(tool);
    if (definition !== undefined) seen.note(definition, caller, result);
    return toAnswer(callId, result, () => definition);
  }
}

export type InnerCallParts = Pick<LiveParts, "registry" | "reranker" | "passed" | "seen" | "calls">;

export interface InnerCallsOptions {
  readonly isResumed: boolean;
  /** Those of the program that led to this one. */
  readonly above: InnerCalls | undefined;
}

/** Calls of a program and of all programs that it leads to, in sum. */
const maxCallsOfAll = 1_000;
const tooManyText = `The program and the programs that it calls made more than ${maxCallsOfAll.toLocaleString("en-US")} calls in sum. Ask for more with each call, or split the work.`;

function unreadableText(tool: string): string {
  return `The log of calls cannot be read, so "${tool}" was not called. Call it again.`;
}
