import { ToolError } from "@toolrack/core";
import { randomBytes } from "node:crypto";
import type { ResponseMessage } from "../../wire/message.ts";
import type { RequestId } from "../../wire/protocol.ts";
import { requestMessage } from "../../wire/reply.ts";
import type { Signer } from "../signer.ts";

/** Requests to legacy clients that wait for their answer. */
export interface ClientRequests {
  /** Sends a request and waits. Rejects when the client answers with an error, takes too long, or `signal` is aborted. */
  ask(owner: string, method: string, params: object, send: (message: string) => void, signal: AbortSignal): Promise<unknown>;
  /** Settles the request that this response belongs to, if it comes from the session that was asked. False: it is not pending here. */
  settle(owner: string, message: ResponseMessage): boolean;
  /** Fails the pending request. */
  fail(owner: string, id: RequestId, fact: string): boolean;
  /** Whether this server, or another one with its key, asked the owner under this id. */
  wasAsked(owner: string, id: RequestId): boolean;
}

/** Ids of questions are signed: a client can answer only questions that it was asked, on any server that receives the answer. */
export function createClientRequests(maxWaitMs: number, signer: Signer): ClientRequests {
  const waiting = new Map<string, Waiting>();
  const waitingFor = (owner: string, id: RequestId): Waiting | undefined => {
    const asked = waiting.get(String(id));
    return asked?.owner === owner ? asked : undefined;
  };
  return {
    ask(owner, method, params, send, signal) {
      const open = [...waiting.values()].filter((asked) => asked.owner === owner).length;
      if (open >= mostAsked)
        return Promise.reject(
          new ToolError("ANSWER_UNAVAILABLE", `The client was not asked (${method}): ${open} questions to it wait for an answer already.`),
        );
      return new Promise((resolve, reject) => {
        const id = signer.seal(purposeFor(owner), randomBytes(18).toString("base64url"));
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
          fail,
          settle: ({ result, error }) => (error === undefined ? end(() => resolve(result)) : fail(`it answered with error ${error.code}`)),
        });
        send(requestMessage(id, method, params));
      });
    },
    settle(owner, message) {
      const asked = waitingFor(owner, message.id);
      asked?.settle(message);
      return asked !== undefined;
    },
    fail(owner, id, fact) {
      const asked = waitingFor(owner, id);
      asked?.fail(fact);
      return asked !== undefined;
    },
    wasAsked: (owner, id) => typeof id === "string" && id.length <= 256 && signer.open(purposeFor(owner), id) !== undefined,
  };
}

interface Waiting {
  readonly owner: string;
  settle(message: ResponseMessage): void;
  fail(fact: string): void;
}

function purposeFor(owner: string): string {
  return `question to ${owner}`;
}

/** Of one session. */
const mostAsked = 32;
