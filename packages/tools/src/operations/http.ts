import { ToolError, ToolInputError } from "@toolrack/core";
import { createSafeFetch, FetchError, type SafeFetch, type SafeFetchOptions, type SafeRequest, type SafeResponse } from "@toolrack/fetch";

/** Requests over the network; pass your own to test without one. */
export interface HttpOperations {
  /**
   * Reaches the public internet and the hosts that the configuration names, nothing else.
   * `alsoReach` is a host, with its port, that the settings of the calling tool name.
   */
  request(url: string, request: SafeRequest, alsoReach?: string): Promise<SafeResponse>;
}

/** Requests by `@toolrack/fetch`. Throws for a host that is none. */
export function createHttp(options: SafeFetchOptions = {}): HttpOperations {
  const plain = createSafeFetch(options);
  const clients = new Map<string, SafeFetch>();
  return {
    async request(url, request, alsoReach) {
      if (alsoReach === undefined) return plain(url, request);
      let client = clients.get(alsoReach);
      if (client === undefined) {
        // A removed entry may still be in use; its connections close by themselves when idle.
        if (clients.size >= maxClients) clients.delete(clients.keys().next().value!);
        clients.set(alsoReach, (client = createSafeFetch({ ...options, allowHosts: [...(options.allowHosts ?? []), alsoReach] })));
      }
      return client(url, request);
    },
  };
}

/** Settings change rarely, so few hosts are cached. */
const maxClients = 16;

/** "http://localhost:8080/v1" → "localhost:8080"; throws CONFIG_INVALID for what is no address of http or https. */
export function hostOf(baseUrl: string, setting: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new ToolError("CONFIG_INVALID", `The setting "${setting}" must be a URL such as "https://api.example.com", not "${baseUrl}".`);
  return `${url.hostname}:${url.port === "" ? (url.protocol === "https:" ? 443 : 80) : url.port}`;
}

/** What a request that has no answer means for the call. */
export function toToolError(error: unknown): unknown {
  if (!FetchError.is(error)) return error;
  const { code, message, retryable } = error as FetchError;
  switch (code) {
    case "TIMEOUT":
      return new ToolError("TIMEOUT", message, { cause: error, retryable });
    case "ABORTED":
      return new ToolError("ABORTED", message, { cause: error });
    case "RESPONSE_TOO_LARGE":
      return new ToolError("RESULT_TOO_LARGE", message, { cause: error });
    case "ADDRESS_REFUSED":
      return new ToolError("TOOL_NOT_ALLOWED", message, { cause: error });
    case "URL_INVALID":
    case "HEADER_INVALID":
      return new ToolInputError(message, { cause: error });
    default:
      return new ToolError("TOOL_FAILED", message, { cause: error, retryable });
  }
}
