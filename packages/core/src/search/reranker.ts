import { type Clock, systemClock } from "../util/clock.ts";
import { untilAborted } from "../util/until-aborted.ts";
import type { AbortSignal } from "../util/abort-signal.ts";
import { cosine, createMemoryCache, type Embedder, type EmbeddingCache, embedTexts, forgetful, textOfTool } from "./embedder.ts";
import type { SearchableTool, ToolHit } from "./search.ts";

export interface RerankerOptions {
  readonly embedder: Embedder;
  /** The weight of meaning against words, from 0 to 1. @default 0.5 */
  readonly weight?: number;
  /** How many of the first hits by words are embedded and reordered. @default 50 */
  readonly candidates?: number;
  /** For all requests of one search; after it the order by words is the answer. @default 3_000 */
  readonly timeoutMs?: number;
  /** How long the embedder is left alone after a failure: searches in that time are answered by words alone. @default 30_000 */
  readonly coolDownMs?: number;
  /** Vectors of tools, by a hash of model and text. Queries are never cached. @default in memory */
  readonly cache?: EmbeddingCache;
  /** How many texts of tools the embedder gets at once. @default 64 */
  readonly batchSize?: number;
  /** Receives why a search was answered by words alone; once for each failure, not for searches during the cool-down. */
  readonly onProblem?: (problem: string) => void;
  readonly clock?: Clock;
}

/**
 * Reorders what a search found by words, by meaning as well.
 * Contract: answers the given hits and no others; sends nothing but the query, alone in its request, and the texts of these hits; never
 * rejects: if the embedder fails, is too slow or answers something unusable, the hits keep their order and `onProblem` is told.
 */
export interface Reranker {
  /** How many hits a search should pass. */
  readonly candidates: number;
  rerank<Tool extends SearchableTool>(
    query: string,
    hits: readonly ToolHit<Tool>[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly ToolHit<Tool>[]>;
}

export function createReranker(options: RerankerOptions): Reranker {
  const { embedder, weight = 0.5, candidates = 50, timeoutMs = 3_000, coolDownMs = 30_000, batchSize = 64, clock = systemClock } = options;
  const { cache = createMemoryCache(), onProblem = () => undefined } = options;
  let restsUntil = -Infinity;

  /** Vectors enter the cache only after all of them were checked; cached ones of another length are made again. */
  async function similaritiesOf(query: string, tools: readonly SearchableTool[], signal: AbortSignal): Promise<readonly number[]> {
    const [asked] = await embedTexts([query.slice(0, maxQueryLength)], { embedder, cache: forgetful, batchSize: 1, signal });
    const made = new Map<string, Float32Array>();
    const checked: EmbeddingCache = {
      async get(hash) {
        const kept = await cache.get(hash);
        return kept?.length === asked!.length ? kept : undefined;
      },
      set: (hash, vector) => void made.set(hash, vector),
    };
    const vectors = await embedTexts(tools.map(textOfTool), { embedder, cache: checked, batchSize, signal });
    if ([asked!, ...vectors].some(({ length }) => length === 0))
      throw new Error("it answered a vector that is missing, zero or not finite");
    if (vectors.some(({ length }) => length !== asked!.length)) throw new Error("it answered vectors of different lengths");
    for (const [hash, vector] of made) await cache.set(hash, vector);
    return vectors.map((vector) => Math.max(0, cosine(asked!, vector)));
  }

  /** Rejects after the time, also if the embedder ignores its signal. */
  async function withinTime<Value>(run: (signal: AbortSignal) => Promise<Value>, outer: AbortSignal | undefined): Promise<Value> {
    const controller = new AbortController();
    const cancel = clock.after(timeoutMs, () => controller.abort(new Error(`it took longer than ${timeoutMs} ms`)));
    try {
      return await untilAborted(untilAborted(run(controller.signal), controller.signal), outer);
    } finally {
      cancel();
      controller.abort();
    }
  }

  return {
    candidates,
    async rerank(query, hits, { signal } = {}) {
      if (hits.length < 2 || signal?.aborted || clock.now() < restsUntil) return hits;
      const first = hits.slice(0, candidates);
      try {
        const tools = first.map(({ tool }) => tool);
        const similarities = await withinTime((inner) => similaritiesOf(query, tools, inner), signal);
        return [...blend(first, similarities, weight), ...hits.slice(candidates)];
      } catch (error) {
        if (signal?.aborted) return hits;
        restsUntil = clock.now() + coolDownMs;
        const reason = error instanceof Error ? error.message : String(error);
        onProblem(
          `The embedder "${embedder.id}" was not used for a search: ${reason}. Tools are ordered by words alone for the next ${coolDownMs / 1_000} s.`,
        );
        return hits;
      }
    },
  };
}

/** Of characters: a model refuses what is too long for it, and one such query must not stop the embedder for all others. */
const maxQueryLength = 2_000;

/** Both scores from 0 to 1: models answer similarities in a narrow range, so the range among these hits counts. */
function blend<Tool extends SearchableTool>(
  hits: readonly ToolHit<Tool>[],
  similarities: readonly number[],
  weight: number,
): readonly ToolHit<Tool>[] {
  const mostByWords = Math.max(...hits.map(({ score }) => score));
  const most = Math.max(...similarities);
  const range = most - Math.min(...similarities);
  return hits
    .map((hit, at) => {
      const similarity = similarities[at]!;
      const meant = range === 0 ? 1 : 1 - (most - similarity) / range;
      return {
        tool: hit.tool,
        score: (1 - weight) * (hit.score / mostByWords) + weight * meant,
        get why() {
          return [...hit.why, { kind: "meaning", similarity } as const];
        },
      };
    })
    .sort((a, b) => b.score - a.score);
}
