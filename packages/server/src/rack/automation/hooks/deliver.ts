import { ToolError } from "@toolrack/core";
import { FetchError, type SafeFetch } from "@toolrack/fetch";
import type { JobHandler, JobOutcome, JsonObject } from "@toolrack/store";
import { signMessage } from "./signature.ts";

/** What a delivery sends. */
export interface Message {
  readonly endpoint: string;
  /** `webhook-id`: the same in every attempt. */
  readonly id: string;
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly data: JsonObject;
}

/** Attempts after the first one: 5 s, 5 min, 30 min, 2 h, 5 h and 10 h later. Then it is a dead letter. */
export const deliveryDelaysMs: readonly number[] = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000];
const mostAnswerBytes = 65_536;
const longestRetryAfterMs = 36_000_000;

export interface DeliverOptions {
  /** Where to send it, and the secrets to sign with; a sentence if it must not be sent. */
  readonly targetOf: (endpoint: string) => Promise<{ readonly url: string; readonly secrets: readonly string[] } | string>;
  /** The receiver says that it is gone. */
  readonly disable: (endpoint: string, reason: string) => Promise<void>;
  readonly fetch: SafeFetch;
  readonly timeoutMs: number;
  readonly version: string;
  now(): number;
}

/**
 * Sends one message, once for each attempt. A server that ends between the answer and its note sends it again with the same id, by which receivers
 * know it.
 */
export function createDeliver({ targetOf, disable, fetch, timeoutMs, version, now }: DeliverOptions): JobHandler {
  return async ({ job, signal }): Promise<JobOutcome> => {
    const message = job.payload as unknown as Message;
    const { endpoint, id, type, at, data } = message;
    try {
      const target = await targetOf(endpoint);
      if (typeof target === "string") return { dead: { code: "ENDPOINT_UNAVAILABLE", message: target } };
      const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
      const headers = {
        "content-type": "application/json",
        "user-agent": `toolrack/${version}`,
        ...signMessage(id, now(), body, target.secrets),
      };
      const answer = await fetch(target.url, {
        method: "POST",
        headers,
        body,
        signal,
        timeoutMs,
        maxBytes: mostAnswerBytes,
        redirect: "error",
      });
      if (answer.ok) return { done: { status: answer.status } };
      if (answer.status === 410) {
        await disable(endpoint, "Its receiver answered 410: it is gone.");
        return { dead: { code: "RECEIVER_GONE", message: "The receiver answered 410: it is gone. The webhook is disabled." } };
      }
      const afterMs = retryAfter(answer.headers["retry-after"]);
      return { retry: { code: `HTTP_${answer.status}`, message: factOf(answer.status) }, ...(afterMs !== undefined && { afterMs }) };
    } catch (error) {
      if (signal.aborted) throw error;
      if (FetchError.is(error) || ToolError.is(error)) return { retry: { code: error.code, message: error.message } };
      throw error;
    }
  };
}

function factOf(status: number): string {
  if (status >= 300 && status < 400) return `The receiver answered ${status}, a redirect. Redirects are not followed; change the URL.`;
  return `The receiver answered ${status}.`;
}

/** In milliseconds, if the receiver says so in seconds. */
function retryAfter(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Math.min(Number(text) * 1_000, longestRetryAfterMs) : undefined;
}
