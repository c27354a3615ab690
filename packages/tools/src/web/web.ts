import type { ToolDefinition } from "@toolrack/core";
import type { SafeFetchOptions } from "@toolrack/fetch";
import { createHttp } from "../operations/http.ts";
import type { WebOperations } from "./operations.ts";
import { readPage } from "./read-page.ts";
import { createWebFetch } from "./web-fetch.ts";
import { createWebSearch, type WebSearchOptions } from "./web-search.ts";

export interface WebOptions {
  /**
   * Limits of outgoing requests, and hosts that may be reached although their address is not public.
   * @default 20 seconds, 5 MiB, 5 redirects, no such host
   */
  readonly fetch?: SafeFetchOptions;
  /** Which search engine answers. */
  readonly search?: WebSearchOptions;
  /** Every way out, one by one replaceable. */
  readonly operations?: Partial<WebOperations>;
}

/** Reading and searching the web. */
export function createWebTools(options: WebOptions = {}): readonly ToolDefinition[] {
  const operations: WebOperations = {
    http: createHttp({ timeoutMs: 20_000, maxBytes: 5_242_880, maxRedirects: 5, ...options.fetch }),
    readPage,
    ...options.operations,
  };
  return [createWebSearch(operations, options.search), createWebFetch(operations)];
}
