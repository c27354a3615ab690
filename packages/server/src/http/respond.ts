import { ToolError } from "@toolrack/core";
import { StoreError } from "@toolrack/store";
import { Problem } from "./problem.ts";

/** What every answer says to browsers: nothing may be run, framed, guessed or kept. */
export const securityHeaders: Readonly<Record<string, string>> = Object.freeze({
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
});

const apiHeaders: Readonly<Record<string, string>> = Object.freeze({ ...securityHeaders, "cache-control": "no-store" });
const jsonHeaders: Readonly<Record<string, string>> = Object.freeze({ ...apiHeaders, "content-type": "application/json" });

export function jsonResponse(status: number, body: unknown, headers?: Readonly<Record<string, string>>): Response {
  if (body === undefined) return new Response(null, { status, headers: { ...apiHeaders, ...headers } });
  return new Response(JSON.stringify(body), { status, headers: headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers } });
}

export function textResponse(status: number, text: string, contentType: string, headers?: Readonly<Record<string, string>>): Response {
  return new Response(text, { status, headers: { ...apiHeaders, "content-type": contentType, ...headers } });
}

export function streamResponse(stream: ReadableStream<Uint8Array> | null): Response {
  return new Response(stream, {
    status: 200,
    // Proxies that gather answers would hold events back.
    headers: { ...apiHeaders, "content-type": "text/event-stream", "x-accel-buffering": "no" },
  });
}

export function problemResponse(problem: Problem): Response {
  const { headers, retryAfterMs } = problem.options;
  return new Response(JSON.stringify(problem.toBody()), {
    status: problem.status,
    headers: {
      ...apiHeaders,
      "content-type": "application/problem+json",
      ...(retryAfterMs !== undefined && { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) }),
      ...headers,
    },
  });
}

/** Known errors say what they mean; of others only that they happened is told, since their texts may hold anything. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (ToolError.is(error)) {
    return new Problem(error.status, error.code, error.message, {
      ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    });
  }
  if (StoreError.is(error)) return new Problem(error.status, error.code, error.message, error.retryable ? { retryAfterMs: 1_000 } : {});
  return new Problem(500, "INTERNAL", "Something unexpected happened here. The server's log says what.");
}
