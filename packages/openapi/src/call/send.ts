import { setTimeout as wait } from "node:timers/promises";
import { ToolError } from "@toolrack/core";
import { FetchError, type SafeRequest, type SafeResponse } from "@toolrack/fetch";
import type { OperationPlan } from "../operation.ts";
import type { OpenApiRequest } from "../request/request.ts";
import type { OpenApiClient } from "./client.ts";
import { failureOf, isIdempotent } from "./failures.ts";
import { encodeMultipart } from "./multipart.ts";
import { waitOf } from "./rate-gate.ts";

const maxRedirects = 5;
const longestRetryMs = 30_000;

/** Sends a request to the server's origin. Throws a ToolError for an answer that is no success, with the API's own message. */
export async function send(
  plan: OperationPlan,
  request: OpenApiRequest,
  client: OpenApiClient,
  signal: AbortSignal | undefined,
): Promise<SafeResponse> {
  client.gate.check(plan.operation);
  const sent = toSafeRequest(plan, request, client, signal);
  for (let attempt = 0; ; attempt++) {
    const response = await sendOnce(plan, request.url, sent, client).catch((error: unknown) => {
      if (ToolError.is(error) && error.retryable && attempt < client.retries) return undefined;
      throw error;
    });
    if (response !== undefined) {
      client.gate.note(plan.operation, response);
      if (response.ok) return response;
      const failure = failureOf(plan, response);
      if (!failure.retryable || attempt >= client.retries) throw failure;
    }
    // Only requests that may be sent twice come here.
    const asked = response === undefined ? undefined : waitOf(response.headers, Date.now());
    if (asked !== undefined && asked > longestRetryMs) throw failureOf(plan, response!);
    await wait(asked ?? Math.min(longestRetryMs, 250 * 2 ** attempt), undefined, signal === undefined ? {} : { signal });
  }
}

function toSafeRequest(plan: OperationPlan, request: OpenApiRequest, client: OpenApiClient, signal: AbortSignal | undefined): SafeRequest {
  const { method, headers, body } = request;
  const { timeoutMs, maxBytes } = client;
  const accept = plan.accept.length === 0 ? "application/json, */*;q=0.5" : `${plan.accept.slice(0, 5).join(", ")}, */*;q=0.1`;
  const isMultipart = typeof body === "object" && !(body instanceof Uint8Array);
  const encoded = isMultipart ? encodeMultipart(body, headers["content-type"] ?? "multipart/form-data") : undefined;
  const content = encoded?.body ?? (isMultipart ? undefined : body);
  return {
    method,
    headers: { accept, ...headers, ...(encoded && { "content-type": encoded.contentType }) },
    ...(content !== undefined && { body: content as string | Uint8Array }),
    ...(signal !== undefined && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxBytes !== undefined && { maxBytes }),
    redirect: "error",
  };
}

/** One request and its redirects: these stay with the server's origin and the hosts that were named, and no other origin gets credentials. */
async function sendOnce(plan: OperationPlan, start: string, first: SafeRequest, client: OpenApiClient): Promise<SafeResponse> {
  const { origin } = new URL(start);
  let url = start;
  let request = first;
  for (let redirects = 0; ; redirects++) {
    const response = await fetchOnce(plan, url, request, client);
    const location = response.headers["location"];
    if (![301, 302, 303, 307, 308].includes(response.status) || location === undefined) return response;
    if (redirects === maxRedirects)
      throw new ToolError("TOOL_FAILED", `${plan.operation}: ${new URL(url).host} redirected more than ${maxRedirects} times.`);
    if (!URL.canParse(location, url))
      throw new ToolError("TOOL_FAILED", `${plan.operation}: ${new URL(url).host} redirected to something that is not a URL.`);
    const next = new URL(location, url);
    if (next.origin !== origin && !isAllowed(next, client.allowHosts))
      throw new ToolError(
        "TOOL_FAILED",
        `${plan.operation}: ${new URL(url).host} redirected to ${next.host}, which is not its server. If that is meant, add "${next.host}" to allowHosts.`,
      );
    request = follow(request, response.status, next.origin === origin);
    url = next.href;
  }
}

function isAllowed(url: URL, hosts: readonly string[]): boolean {
  return hosts.includes(url.host) || hosts.includes(url.hostname);
}

function follow(request: SafeRequest, status: number, isSameOrigin: boolean): SafeRequest {
  const { body, headers = {}, method = "GET", ...rest } = request;
  const becomesGet = status === 303 || ((status === 301 || status === 302) && method === "POST");
  const kept = Object.entries(headers).filter(
    ([name]) => (isSameOrigin || name === "accept" || name === "content-type") && !(becomesGet && name.startsWith("content-")),
  );
  return {
    ...rest,
    method: becomesGet && method !== "HEAD" ? "GET" : method,
    headers: Object.fromEntries(kept),
    ...(!becomesGet && body !== undefined && { body }),
  };
}

async function fetchOnce(plan: OperationPlan, url: string, request: SafeRequest, client: OpenApiClient): Promise<SafeResponse> {
  try {
    return await client.fetch(url, request);
  } catch (error) {
    if (!FetchError.is(error)) throw error;
    const code = error.code === "TIMEOUT" ? "TIMEOUT" : error.code === "ABORTED" ? "ABORTED" : "TOOL_FAILED";
    const isSafe = isIdempotent(plan.method);
    throw new ToolError(code, `${plan.operation}: ${error.message}`, { cause: error, retryable: error.retryable && isSafe });
  }
}
