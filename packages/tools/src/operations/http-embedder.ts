import type { Embedder } from "@toolrack/core/search";
import { createVectorRequests, type EmbeddingsService } from "./embeddings.ts";
import { createHttp, type HttpOperations } from "./http.ts";

export interface HttpEmbedderOptions {
  /** What comes before "/embeddings" in the address of a service with the embeddings API of OpenAI: "http://localhost:11434/v1". */
  readonly url: string;
  readonly model: string;
  /** Reads the key that is sent as a bearer token, before each request. @default no key is sent */
  readonly key?: () => Promise<string | undefined>;
  /** For each request. @default 10_000 */
  readonly timeoutMs?: number;
  /** Requests of your own. @default `@toolrack/fetch`, which reaches this host and no other private one, and follows no redirect */
  readonly http?: HttpOperations;
}

/** An embedder behind HTTP. Throws CONFIG_INVALID for an address that is none; `setting` is the name of the setting that holds it. */
export function createHttpEmbedder(options: HttpEmbedderOptions, setting = "url"): Embedder {
  const { url, model, key, timeoutMs = 10_000, http = createHttp({ timeoutMs }) } = options;
  const service: EmbeddingsService = { baseUrl: url, model };
  const request = createVectorRequests(http, service, setting);
  return {
    id: model,
    embed: async (texts, { signal = new AbortController().signal } = {}) => request(texts, { key: await key?.(), signal }),
  };
}
