import { ToolError } from "@toolrack/core";
import { StoreError } from "@toolrack/store";
import type { WholeReply } from "../transport/exchange.ts";
import { Problem } from "./problem.ts";

/** Headers of every answer: browsers must not run, frame, sniff or cache it. */
export const securityHeaders: Readonly<Record<string, string>> = Object.freeze({
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
});

/** The last one shows clients that a Toolrack server answered. */
const apiHeaders: Readonly<Record<string, string>> = Object.freeze({
  ...securityHeaders,
  "cache-control": "no-store",
  "toolrack-api": "v1",
});
const jsonHeaders: Readonly<Record<string, string>> = Object.freeze({ ...apiHeaders, "content-type": "application/json" });
const streamHeaders: Readonly<Record<string, string>> = Object.freeze({
  ...apiHeaders,
  "content-type": "text/event-stream",
  // Buffering proxies would delay events.
  "x-accel-buffering": "no",
});

export function jsonReply(status: number, body: unknown, headers?: Readonly<Record<string, string>>): WholeReply {
  if (body === undefined) return { status, headers: headers === undefined ? apiHeaders : { ...apiHeaders, ...headers } };
  return { status, headers: headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers }, body: JSON.stringify(body) };
}

export function textReply(status: number, text: string, contentType: string, headers?: Readonly<Record<string, string>>): WholeReply {
  return { status, headers: { ...apiHeaders, "content-type": contentType, ...headers }, body: text };
}

export function pieceHeaders(contentType: string, headers?: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { ...apiHeaders, "content-type": contentType, "x-accel-buffering": "no", ...headers };
}

export function streamReply(stream: ReadableStream<Uint8Array> | undefined): WholeReply {
  return { status: 200, headers: streamHeaders, ...(stream !== undefined && { body: stream }) };
}

export function problemReply(problem: Problem): WholeReply {
  const { headers, retryAfterMs } = problem.options;
  return {
    status: problem.status,
    headers: {
      ...apiHeaders,
      "content-type": "application/problem+json",
      ...(retryAfterMs !== undefined && { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) }),
      ...headers,
    },
    body: JSON.stringify(problem.toBody()),
  };
}

/** Known errors keep their message; of others only the fact is reported, since their texts may contain anything. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (ToolError.is(error) || StoreError.is(error)) {
    return new Problem(error.status, error.code, error.message, {
      ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    });
  }
  return new Problem(500, "INTERNAL", "An unexpected error occurred. The server log has the details.");
}
