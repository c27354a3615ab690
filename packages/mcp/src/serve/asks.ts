import { ToolError } from "@toolrack/core";
import { randomBytes } from "node:crypto";
import type { ResponseMessage } from "../wire/message.ts";
import { requestMessage } from "../wire/reply.ts";

/** Requests to legacy clients that wait for their answer. */
export interface Asks {
  /** Sends a request and waits. Rejects when the client answers with an error, takes too long, or `signal` is aborted. */
  ask(owner: string, method: string, params: object, send: (message: string) => void, signal: AbortSignal): Promise<unknown>;
  /** Hands an answer to the one who waits, if it comes from the one who was asked. */
  settle(owner: string, message: ResponseMessage): void;
}

export function createAsks(maxWaitMs: number): Asks {
  const waiting = new Map<string, { readonly owner: string; settle(message: ResponseMessage): void }>();
  return {
    ask(owner, method, params, send, signal) {
      const open = [...waiting.values()].filter((asked) => asked.owner === owner).length;
      if (open >= mostAsked)
        return Promise.reject(
          new ToolError("ANSWER_UNAVAILABLE", `The client was not asked (${method}): ${open} questions to it wait for an answer already.`),
        );
      return new Promise((resolve, reject) => {
        const id = randomBytes(18).toString("base64url");
        const fail = (fact: string): void =>
          end(() => reject(new ToolError("ANSWER_UNAVAILABLE", `The client was asked (${method}): ${fact}.`)));
        const cancelled = (): void => fail("the call was cancelled");
        const timer = setTimeout(() => fail("it did not answer in time"), maxWaitMs);
        timer.unref();
        function end(settle: () => void): void {
          waiting.delete(id);
          clearTimeout(timer);
          signal.removeEventListener("abort", cancelled);
          settle();
        }
        signal.addEventListener("abort", cancelled, { once: true });
        waiting.set(id, {
          owner,
          settle: ({ result, error }) => (error === undefined ? end(() => resolve(result)) : fail(`it answered with error ${error.code}`)),
        });
        send(requestMessage(id, method, params));
      });
    },
    settle(owner, message) {
      const asked = waiting.get(String(message.id));
      if (asked?.owner === owner) asked.settle(message);
    },
  };
}

/** Of one session. */
const mostAsked = 32;
