import type { Logger } from "@toolrack/core";
import { createRedactor } from "@toolrack/core/internal";
import { shellWord } from "@toolrack/core/internal/shell-word";
import { createReranker, type Reranker } from "@toolrack/core/search";
import type { Secrets } from "@toolrack/store";
import { createHttpEmbedder } from "@toolrack/tools";
import type { SearchEmbeddingsConfig } from "../../config/config.ts";

/**
 * Reorders searches by the service of `search.embeddings`. Throws CONFIG_INVALID for an address that is none. The key is read before each
 * request, so that a changed secret is used at once.
 */
export function openReranker(
  config: SearchEmbeddingsConfig,
  { secrets, log }: { readonly secrets: Secrets; readonly log: Logger },
): Reranker {
  const { url, model, secret: name, weight, timeoutMs } = config;
  const key = async (): Promise<string | undefined> => {
    if (name === undefined) return undefined;
    const value = await secrets.get({
      name,
      tool: setting,
      callId: "search",
      caller: { agent: "server" },
      reason: "embeddings for a search",
    });
    if (value !== undefined) return value;
    throw new Error(`there is no secret "${name}". Set it with: toolrack secrets set ${shellWord(name)}`);
  };
  return createReranker({
    embedder: createHttpEmbedder({ url, model, key, ...(timeoutMs !== undefined && { timeoutMs }) }, `${setting}.url`),
    ...(weight !== undefined && { weight }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    // A service may quote the key that it refuses.
    onProblem: (problem) => log.warn(createRedactor({ secrets: secrets.seenValues() }).text(problem), { setting }),
  });
}

const setting = "search.embeddings";
