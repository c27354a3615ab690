/** Finding the right tools among many, by words or by meaning. */

export { type ExportBudget, type FitOptions, type FittedTools, fitTools } from "../fit-tools.ts";
export { metaToolNames } from "../registry/meta-tool-names.ts";
export { createMetaTools, type MetaToolOptions, type SearchableRegistry } from "../registry/meta-tools.ts";
export type { Embedder, EmbeddingCache } from "../search/embedder.ts";
export { createReranker, type Reranker, type RerankerOptions } from "../search/reranker.ts";
export { type SearchByMeaningOptions, searchTools, searchToolsByMeaning, type SearchToolsOptions } from "../search/search-tools.ts";
export type { HitReason, SearchableTool, SearchField, SearchOptions, ToolHit } from "../search/search.ts";
export { createSemanticIndex, type SemanticIndex, type SemanticIndexOptions } from "../search/semantic-index.ts";
export { createToolIndex, type ToolIndex, type ToolIndexOptions } from "../search/tool-index.ts";
export { createSearchUsage, type SearchUsage, type UsageOptions } from "../search/usage.ts";
