import { type CallContext, type HandlerReturn, ToolError } from "@toolrack/core";
import { outgoingTrace } from "@toolrack/core/internal";
import type { Connection, UpstreamElicitation } from "../connection/client.ts";
import { isSessionGone, toUpstreamError } from "../connection/failures.ts";
import type { ConnectionManager } from "../connection/connection-manager.ts";
import type { ObserveRequest } from "../connection/observe.ts";
import type { PendingCall, Questions } from "./questions.ts";
import { toHandlerReturn } from "./results.ts";

export interface CallTarget {
  /** The server's own name for the tool. */
  readonly name: string;
  readonly inputSchema: object;
}

export type CallUpstream = (target: CallTarget, input: Readonly<Record<string, unknown>>, context: CallContext) => Promise<HandlerReturn>;

export interface CallUpstreamOptions {
  readonly server: string;
  readonly manager: ConnectionManager;
  readonly questions: Questions;
  readonly timeoutMs: number;
  readonly observe: ObserveRequest;
}

/** Calls tools of one server. What goes wrong is thrown as a coded error, without any credential of the server in it. */
export function createCallUpstream({ server, manager, questions, timeoutMs, observe }: CallUpstreamOptions): CallUpstream {
  return async (target, input, context) => {
    const { signal } = context;
    const call: PendingCall = { context };
    let connection = await manager.get(signal);
    for (let isSecond = false; ; isSecond = true) {
      const used = connection;
      try {
        const result = await questions.during(call, () => callOnce(used, target, input, call, context));
        manager.note(used, undefined);
        if (call.unanswered !== undefined) throw call.unanswered;
        return toHandlerReturn(result);
      } catch (thrown) {
        if (thrown === call.unanswered) throw thrown;
        const error = toUpstreamError(server, used.scrub.error(thrown));
        if (signal.aborted) {
          if ((signal.reason as { name?: unknown } | undefined)?.name === "TimeoutError") manager.note(used, error);
          throw signal.reason;
        }
        if (isSecond || used.era !== "legacy" || !isSessionGone(thrown)) {
          manager.note(used, error);
          throw error;
        }
        manager.drop(used, error);
        connection = await manager.get(signal);
      }
    }
  };

  /** Asks the person as often as the server needs it, within bounds. */
  async function callOnce(
    connection: Connection,
    target: CallTarget,
    input: Readonly<Record<string, unknown>>,
    call: PendingCall,
    context: CallContext,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { signal } = context;
    const onProgress = limited(maxProgress, context.progress);
    const trace = outgoingTrace(context.trace);
    let answers: Readonly<Record<string, unknown>> = {};
    for (let round = 0; round <= maxRounds; round++) {
      const params = { name: target.name, arguments: input, ...answers, ...(trace && { _meta: trace }) };
      const result = await observe(connection, { method: "tools/call", tool: target.name, callId: context.callId }, () =>
        connection.call(params, { signal, timeoutMs, inputSchema: target.inputSchema, onProgress }),
      );
      if (result["resultType"] !== "input_required") return result;
      answers = await answerAll(result, call);
      if (call.unanswered !== undefined) throw call.unanswered;
      if (!("inputResponses" in answers)) await waitBeforeRetry(signal);
    }
    throw new ToolError("TOOL_FAILED", `MCP server "${server}" asked more than ${maxRounds} times during one call.`);
  }

  async function answerAll(result: Readonly<Record<string, unknown>>, call: PendingCall): Promise<Readonly<Record<string, unknown>>> {
    const { inputRequests, requestState } = result;
    const responses: [string, unknown][] = [];
    for (const [key, request] of Object.entries((inputRequests ?? {}) as Record<string, { method?: unknown; params?: unknown }>)) {
      if (request.method !== "elicitation/create")
        throw new ToolError(
          "TOOL_FAILED",
          `MCP server "${server}" asked for ${JSON.stringify(request.method)}, which was not offered to it.`,
        );
      responses.push([key, await questions.answer(request.params as UpstreamElicitation, call)]);
    }
    return {
      ...(responses.length > 0 && { inputResponses: Object.fromEntries(responses) }),
      ...(requestState !== undefined && { requestState }),
    };
  }
}

const maxRounds = 10;
const maxProgress = 1_000;
const retryPauseMs = 250;

/** A server that only wants to be called again is not called at once. */
async function waitBeforeRetry(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, retryPauseMs));
  signal.throwIfAborted();
}

/** A flood of updates ends after the first thousand. */
function limited<Update>(count: number, tell: (update: Update) => void): (update: Update) => void {
  let left = count;
  return (update) => {
    if (left-- > 0) tell(update);
  };
}
