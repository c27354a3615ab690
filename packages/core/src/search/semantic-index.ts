import { cosine, createMemoryCache, type Embedder, type EmbeddingCache, embedTexts, forgetful, textOfTool } from "./embedder.ts";
import { type HitReason, readLimit, type SearchableTool, type SearchOptions, type ToolHit } from "./search.ts";
import { createToolIndex, type ToolIndex, type ToolIndexOptions } from "./tool-index.ts";
import type { AbortSignal } from "../util/abort-signal.ts";

export interface SemanticIndexOptions<Tool extends SearchableTool = SearchableTool> extends ToolIndexOptions<Tool> {
  readonly embedder: Embedder;
  /** The weight of meaning against words, from 0 to 1. @default 0.5 */
  readonly weight?: number;
  /** @default in memory */
  readonly cache?: EmbeddingCache;
  /** How many texts the embedder gets at once. @default 64 */
  readonly batchSize?: number;
}

/** Finds tools by words and by meaning. A tool is embedded when a search first needs it, and again only when its text changes. */
export interface SemanticIndex<Tool extends SearchableTool = SearchableTool> extends Pick<
  ToolIndex<Tool>,
  "size" | "has" | "add" | "remove"
> {
  /** Rejects with what the embedder rejects with. */
  search(query: string, options?: SearchOptions<Tool> & { readonly signal?: AbortSignal }): Promise<ToolHit<Tool>[]>;
}

export function createSemanticIndex<Tool extends SearchableTool>(
  tools: Iterable<Tool>,
  options: SemanticIndexOptions<Tool>,
): SemanticIndex<Tool> {
  const { embedder, weight = 0.5, cache = createMemoryCache(), batchSize = 64 } = options;
  const listed = new Set(tools);
  const words = createToolIndex(listed, options);
  const vectors = new WeakMap<Tool, Float32Array>();

  return {
    get size() {
      return listed.size;
    },
    has: (tool) => listed.has(tool),
    add(tool) {
      listed.add(tool);
      words.add(tool);
    },
    remove(tool) {
      listed.delete(tool);
      words.remove(tool);
    },
    async search(query, { limit, among, signal } = {}) {
      const open = among === undefined ? [...listed] : [...new Set(among)].filter((tool) => listed.has(tool));
      const missing = open.filter((tool) => !vectors.has(tool));
      const embedding = { embedder, cache, batchSize, signal };
      const made = await embedTexts(missing.map(textOfTool), embedding);
      for (const [index, tool] of missing.entries()) vectors.set(tool, made[index]!);
      const [asked] = await embedTexts([query], { ...embedding, cache: forgetful });
      const similarities = new Map(open.map((tool) => [tool, Math.max(0, cosine(asked!, vectors.get(tool)!))]));
      let most = 0;
      for (const similarity of similarities.values()) most = Math.max(most, similarity);
      const hits = words.search(query, { limit: Infinity, among: open });
      const mostByWords = hits[0]?.score ?? 1;
      const found = new Map(hits.map((hit) => [hit.tool, hit]));
      return open
        .map((tool) => {
          const similarity = similarities.get(tool)!;
          const hit = found.get(tool);
          return {
            tool,
            score: ((1 - weight) * (hit?.score ?? 0)) / mostByWords + (most === 0 ? 0 : (weight * similarity) / most),
            similarity,
            hit,
          };
        })
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : a.tool.name > b.tool.name ? 1 : 0))
        .slice(0, readLimit(limit))
        .map(({ tool, score, similarity, hit }) => {
          const meaning: HitReason[] = similarity > 0 ? [{ kind: "meaning", similarity }] : [];
          return { tool, score, why: [...(hit?.why ?? []), ...meaning] };
        });
    },
  };
}
