import type { ToolMetadata } from "../tool/metadata.ts";

/** What a search reads of a tool. Every tool definition is one. */
export interface SearchableTool {
  readonly name: string;
  readonly description: string;
  readonly title?: string;
  readonly inputSchema?: unknown;
  readonly metadata?: Pick<ToolMetadata, "category" | "tags" | "usageHint" | "examples">;
}

/** The parts of a tool that a word can be found in. */
export type SearchField = "name" | "description" | "parameter" | "value" | "hint" | "tag" | "category" | "source" | "example";

/** One tool that was found. */
export interface ToolHit<Tool extends SearchableTool = SearchableTool> {
  readonly tool: Tool;
  /** Above 0, higher is better; comparable only within one answer. */
  readonly score: number;
  /** What speaks for the tool, the weightiest first. */
  readonly why: readonly HitReason[];
}

export type HitReason =
  /** A word of the query, the word of the tool that it met (another form, or a synonym), and where that stands. */
  | { readonly kind: "word"; readonly word: string; readonly met: string; readonly fields: readonly SearchField[] }
  /** How near an embedder says that the tool is to the query, from 0 to 1. */
  | { readonly kind: "meaning"; readonly similarity: number }
  /** Calls that followed like queries of the same owner, and what they added to the score. */
  | { readonly kind: "usage"; readonly calls: number; readonly added: number };

export interface SearchOptions<Tool extends SearchableTool = SearchableTool> {
  /** At most so many hits. @default 5 */
  readonly limit?: number;
  /** Only among these tools. The answer is the one that an index of these alone would give. @default all */
  readonly among?: readonly Tool[];
}

export const defaultLimit = 5;

/** A whole number of hits from 0 up; anything that is not a number means the default. */
export function readLimit(limit: number | undefined): number {
  return limit === undefined || Number.isNaN(limit) ? defaultLimit : Math.max(0, Math.floor(limit));
}
