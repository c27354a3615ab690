import { createSafeFetch, type SafeFetch } from "@toolrack/fetch";
import type { OpenApiCallOptions } from "../options.ts";
import { createRateGate, type RateGate } from "./rate-gate.ts";

/** What the tools of one document share when they are called. */
export interface OpenApiClient {
  readonly baseUrl: string | undefined;
  readonly allowHosts: readonly string[];
  readonly timeoutMs: number | undefined;
  readonly maxBytes: number | undefined;
  readonly retries: number;
  readonly maxPages: number;
  readonly gate: RateGate;
  readonly fetch: SafeFetch;
  /** Closes connections that it opened itself. */
  close(): Promise<void>;
}

export function createClient(options: OpenApiCallOptions): OpenApiClient {
  const { baseUrl, allowHosts = [], timeoutMs, maxBytes, retries = 0, maxPages = 1 } = options;
  const own = options.fetch === undefined ? createSafeFetch({ allowHosts }) : undefined;
  return {
    baseUrl,
    allowHosts,
    timeoutMs,
    maxBytes,
    retries,
    maxPages,
    gate: createRateGate(),
    fetch: options.fetch ?? own!,
    close: async () => own?.close(),
  };
}
