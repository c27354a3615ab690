import { AsyncLocalStorage } from "node:async_hooks";
import type { CallContext } from "@toolrack/core";
import { cleanText } from "@toolrack/core/scan";
import type { UpstreamElicitation, UpstreamElicitationAnswer } from "../connection/client.ts";

/** A call on its way to the server: whose person a question of the server is for. */
export interface PendingCall {
  readonly context: Pick<CallContext, "ask" | "log">;
  /** Why a question had no answer; the call ends with it. */
  unanswered?: unknown;
}

/** Brings questions of one server to the people behind its calls, and never to the wrong one. */
export interface Questions {
  /** Runs a call so that what the server asks on its stream is known to belong to it. */
  during<Value>(call: PendingCall, run: () => Promise<Value>): Promise<Value>;
  /** Runs what belongs to no call. */
  outside<Value>(run: () => Value): Value;
  /** A question that came by itself: answered by the call on whose stream it came, or by the only call there is. */
  answerAny(question: UpstreamElicitation): Promise<UpstreamElicitationAnswer>;
  answer(question: UpstreamElicitation, call: PendingCall): Promise<UpstreamElicitationAnswer>;
}

/**
 * The call that runs here, by the server that it was sent to. There is one for the process: every further AsyncLocalStorage would cost time with
 * each promise that anybody makes, also after its server was removed.
 */
const scope = new AsyncLocalStorage<ReadonlyMap<object, PendingCall>>();

function inScope<Value>(server: object, call: PendingCall | undefined, run: () => Value): Value {
  const calls = new Map(scope.getStore());
  if (call === undefined) calls.delete(server);
  else calls.set(server, call);
  return scope.run(calls, run);
}

export function createQuestions(server: string): Questions {
  const self = {};
  const pending = new Set<PendingCall>();

  async function answer(question: UpstreamElicitation, call: PendingCall): Promise<UpstreamElicitationAnswer> {
    const { message, requestedSchema } = question;
    try {
      const answered = await call.context.ask({
        message: `The MCP server "${server}" asks: ${cleanText(String(message).slice(0, 2_000))}`,
        ...(requestedSchema !== undefined && { schema: requestedSchema }),
      });
      if (answered.action !== "accept") return { action: answered.action };
      return { action: "accept", content: withDefaults(answered.value, requestedSchema) };
    } catch (error) {
      call.unanswered ??= error;
      return { action: "cancel" };
    }
  }

  return {
    answer,
    async during(call, run) {
      pending.add(call);
      try {
        return await inScope(self, call, run);
      } finally {
        pending.delete(call);
      }
    },
    outside: (run) => inScope(self, undefined, run),
    async answerAny(question) {
      const [only] = pending.size === 1 ? pending : [];
      const call = scope.getStore()?.get(self) ?? only;
      if (call !== undefined && pending.has(call)) return answer(question, call);
      const fact = `MCP server "${server}" asked a question that belongs to none, or to any, of its ${pending.size} calls: unanswered.`;
      for (const one of pending) one.context.log.warn(fact);
      return { action: "cancel" };
    },
  };
}

/** What the person left out is filled in where the schema says with what. */
function withDefaults(value: unknown, schema: UpstreamElicitation["requestedSchema"]): Record<string, never> {
  const content: [string, unknown][] = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  const properties = schema?.["properties"];
  if (typeof properties !== "object" || properties === null) return Object.fromEntries(content) as Record<string, never>;
  for (const [name, property] of Object.entries(properties)) {
    const isMissing = !content.some(([given]) => given === name);
    if (isMissing && typeof property === "object" && property !== null && Object.hasOwn(property, "default"))
      content.push([name, (property as { default: unknown }).default]);
  }
  return Object.fromEntries(content) as Record<string, never>;
}
