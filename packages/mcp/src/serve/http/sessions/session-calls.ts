import { createHash } from "node:crypto";
import type { RequestId } from "../../../wire/protocol.ts";
import type { HttpExchange } from "../http-exchange.ts";

/** The calls of legacy sessions that run here, so that another request can cancel them. */
export interface SessionCalls {
  /** Tracks a call until it is answered. A call whose cancellation arrived before it is cancelled now. */
  add(session: string, exchange: HttpExchange): void;
  /** Whether the call runs here. If it does not, it is cancelled where it comes within a minute: a cancel may overtake its call. */
  cancel(session: string, request: string): boolean;
  /** Cancels everything that runs in a session. */
  endSession(session: string): void;
}

export function createSessionCalls(): SessionCalls {
  const sessions = new Map<string, Map<string, HttpExchange>>();
  /** When calls were cancelled that are not here, by session and request. */
  const early = new Map<string, number>();

  function remember(key: string): void {
    const now = Date.now();
    for (const [old, at] of early) {
      if (at + earlyMs > now && early.size < maxEarly) break;
      early.delete(old);
    }
    early.set(key, now);
  }

  return {
    add(session, exchange) {
      const request = requestKey(exchange.id);
      const calls = sessions.get(session) ?? new Map<string, HttpExchange>();
      sessions.set(session, calls.set(request, exchange));
      exchange.onEnd = () => {
        if (calls.get(request) === exchange) calls.delete(request);
        if (calls.size === 0 && sessions.get(session) === calls) sessions.delete(session);
      };
      if (early.size > 0 && early.delete(`${session} ${request}`)) exchange.cancel(cancelled);
    },
    cancel(session, request) {
      const exchange = sessions.get(session)?.get(request);
      if (exchange === undefined) remember(`${session} ${request}`);
      else exchange.cancel(cancelled);
      return exchange !== undefined;
    },
    endSession(session) {
      for (const exchange of sessions.get(session)?.values() ?? []) exchange.cancel("The session has ended.");
    },
  };
}

/** The id of a request as a short text: 1 and "1" are two ids. */
export function requestKey(id: RequestId): string {
  const text = `${typeof id} ${id}`;
  return text.length <= 128 ? text : `hash ${createHash("sha256").update(text).digest("base64url")}`;
}

const cancelled = "The client cancelled the call.";
const earlyMs = 60_000;
const maxEarly = 10_000;
