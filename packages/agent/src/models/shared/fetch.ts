import type { Agent, RequestOptions } from "node:http";
import { onAbort } from "@toolrack/core/internal";
import { FetchError, isPublicAddress } from "@toolrack/fetch";
import { createSafeLookup, readAllowedHosts, readUrl, refusedAddress, systemResolve } from "@toolrack/fetch/internal";

/** How a client sends a request: the platform's `fetch` fits. It must hand on the body as it comes. */
export type ModelFetch = (url: string, request: ModelFetchRequest) => Promise<ModelFetchResponse>;

export interface ModelFetchRequest {
  readonly method: "POST";
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** A redirect is an answer: followed, it would take the key along. */
  readonly redirect: "manual";
}

export interface ModelFetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

/**
 * Requests that reach public addresses, and the hosts that are named here. The address is checked when a name is resolved and again on the
 * connected socket. Nothing is loaded before the first request.
 */
export function createGuardedModelFetch(allowHosts: readonly string[]): ModelFetch {
  const allowed = readAllowedHosts(allowHosts);
  const agents = new Map<string, Agent>();
  return async (address, { method, headers, body, signal }) => {
    const url = readUrl(address, allowed, "baseUrl");
    const isNamed = allowed.has(url);
    const http = url.protocol === "https:" ? await import("node:https") : await import("node:http");
    const kind = `${url.protocol} ${isNamed}`; // connections of the two kinds are never shared
    let agent = agents.get(kind);
    if (agent === undefined) {
      // Closed before most servers do, so that no request is sent into a connection that is just being closed.
      agent = new http.Agent({
        keepAlive: true,
        maxFreeSockets: 4,
        timeout: 4_000,
        ...(!isNamed && { lookup: createSafeLookup(systemResolve, "baseUrl") }),
      });
      agents.set(kind, agent);
    }
    const options: RequestOptions = { method, agent, headers: { "accept-encoding": "identity", ...headers } };
    return new Promise((resolve, reject) => {
      const request = http.request(url, options, (answer) => {
        answer.on("error", () => undefined); // whoever reads the body is told
        answer.once("close", leave);
        resolve({ status: answer.statusCode!, headers: { get: (name) => answer.headersDistinct[name]?.join(", ") ?? null }, body: answer });
      });
      request.on("error", reject);
      request.once("close", () => reject(new FetchError("UNREACHABLE", `${url.host} closed the connection.`)));
      request.once("socket", (socket) => {
        const refuse = (): void => {
          if (!isNamed && !isPublicAddress(socket.remoteAddress ?? "")) socket.destroy(refusedAddress(url.host, "baseUrl"));
        };
        if (socket.connecting) socket.once("connect", refuse);
        else refuse();
      });
      // Given to the request itself, the signal would also end a connection that another request uses by now.
      const leave = onAbort(signal, () => request.destroy());
      request.once("close", leave);
      request.end(body);
    });
  };
}

/** Why a request has no answer, in a few words without the URL. */
export function describeNetworkError(error: unknown): { readonly reason: string; readonly retryable: boolean } {
  if (FetchError.is(error)) return { reason: (error as FetchError).message, retryable: (error as FetchError).retryable };
  const { code, message, cause } = (typeof error === "object" && error !== null ? error : {}) as NodeJS.ErrnoException;
  if (typeof cause === "object" && cause !== null && code === undefined) return describeNetworkError(cause);
  return { reason: code ?? (message || "the connection broke off"), retryable: true };
}
