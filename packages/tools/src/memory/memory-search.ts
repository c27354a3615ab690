import { type CallContext, defineTool, type ToolDefinition } from "@toolrack/core";
import { type Embed, likeness } from "../operations/embed.ts";
import { fuse, type Scored } from "../operations/fuse.ts";
import { createDocumentReader, type FoundPassage, snippetOf } from "./documents.ts";
import type { MemoryOperations } from "./operations.ts";
import { type IndexedPassage, rankByWords } from "./rank.ts";

export function createMemorySearch(operations: MemoryOperations, secrets: readonly string[] = []): ToolDefinition {
  const readDocuments = createDocumentReader(operations);
  const byMeaning = operations.embed === undefined ? undefined : createMeaningRank(operations.embed);
  return defineTool({
    name: "memory_search",
    title: "Search memory",
    description:
      "Searches notes and records for what was written down before, the best first, each with its place and lines. Read more with memory_get.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 1_000, description: "What to look for, in words." },
        source: { type: "string", enum: ["all", "notes", "records"], default: "all", description: "Where to look." },
        max_results: { type: "integer", minimum: 1, maximum: 50, default: 6, description: "At most this many places." },
      },
      required: ["query"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        results: {
          type: "array",
          items: {
            type: "object",
            properties: {
              source: { type: "string", description: "notes or records" },
              note: { type: "string", description: "The id of the note, for memory_get." },
              heading: { type: "string" },
              start_line: { type: "integer" },
              end_line: { type: "integer" },
              snippet: { type: "string" },
              score: { type: "number", description: "Larger is better; only within one answer." },
            },
            required: ["source", "note", "heading", "start_line", "end_line", "snippet", "score"],
          },
        },
        count: { type: "integer" },
        skipped: { type: "integer", description: "Notes that were too large or too many to be searched." },
      },
      required: ["results", "count"],
    },
    metadata: {
      category: "research",
      optionality: "optional",
      usageHint: "Before answering about earlier work, decisions, people, dates or preferences.",
      examples: [{ description: "What was decided about tea", input: { query: "tea supplier" }, usage: "result.results" }],
      annotations: { readOnly: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 30_000, maxResultBytes: 131_072, concurrency: 8 },
      groups: ["memory"],
      profiles: ["coding"],
      ...(secrets.length > 0 && { secrets }),
    },
    async handler({ query, source, max_results }, context) {
      const { passages, skipped } = await readDocuments(query, source, context);
      const words = rankByWords(query, passages);
      const ranked = byMeaning === undefined ? words : fuse([words, await byMeaning(query, passages, context)]);
      const results = ranked.slice(0, max_results).map(({ item, score }) => {
        const { passage } = item.indexed;
        return {
          source: item.source,
          note: item.note,
          heading: passage.heading,
          start_line: passage.startLine,
          end_line: passage.endLine,
          snippet: snippetOf(passage.text, query),
          score: Math.round(score * 10_000) / 10_000,
        };
      });
      return { results, count: results.length, ...(skipped > 0 && { skipped }) };
    },
  });
}

type MeaningRank = (query: string, items: readonly FoundPassage[], context: CallContext) => Promise<readonly Scored<FoundPassage>[]>;

/** Vectors are cached as long as the passages exist: what did not change is not sent again. */
function createMeaningRank(embed: Embed): MeaningRank {
  const vectors = new WeakMap<IndexedPassage, readonly number[]>();
  return async (query, items, context) => {
    const fresh = items.filter(({ indexed }) => !vectors.has(indexed)).slice(0, maxFresh);
    const texts = fresh.map(({ indexed }) => `${indexed.passage.heading}\n${indexed.passage.text}`.slice(0, maxText));
    const [asked, ...made] = await embed([query, ...texts], context);
    fresh.forEach(({ indexed }, position) => vectors.set(indexed, made[position]!));
    return items
      .map((item) => ({ item, score: likeness(asked!, vectors.get(item.indexed) ?? []) }))
      .filter(({ score }) => score >= leastLikeness)
      .sort((a, b) => b.score - a.score)
      .slice(0, 50);
  };
}

/** The rest of a large collection follows with the next searches. */
const maxFresh = 1_000;
const maxText = 4_000;
const leastLikeness = 0.3;
