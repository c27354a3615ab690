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
  /** Why the tool was found: words, highest weight first, then everything else that raised its score. */
  readonly why: readonly HitReason[];
}

export type HitReason =
  /**
   * A word of the query, the word of the tool that it matched (the same, another form, or as `as` says), and the fields that contain it.
   * "related" is a word of the same subject, from the table of words.
   */
  | {
      readonly kind: "word";
      readonly word: string;
      readonly met: string;
      readonly as?: "synonym" | "related";
      readonly fields: readonly SearchField[];
    }
  /** Two words that are neighbours in the query and in the tool. */
  | { readonly kind: "pair"; readonly words: readonly [string, string]; readonly fields: readonly SearchField[] }
  /** Another tool of its source, or with the same prefix in its name, matches better. `added` is a share of the score before, as below. */
  | { readonly kind: "family"; readonly added: number }
  /** The query asks for much of the tool's name and of the beginning of its description. */
  | { readonly kind: "coverage"; readonly added: number }
  /** It answers words that no better hit answers. */
  | { readonly kind: "fresh"; readonly added: number }
  /** Its name has no action, such as deleting, that is not asked for. */
  | { readonly kind: "action"; readonly added: number }
  /** The similarity of tool and query by the embedder, from 0 to 1. */
  | { readonly kind: "meaning"; readonly similarity: number }
  /** Calls that followed similar queries of the same owner, and what they added to the score. */
  | { readonly kind: "usage"; readonly calls: number; readonly added: number };

export interface SearchOptions<Tool extends SearchableTool = SearchableTool> {
  /** The largest number of hits. @default 5 */
  readonly limit?: number;
  /** Search only these tools. The answer is the same as that of an index with these tools alone. @default all */
  readonly among?: readonly Tool[];
}

export const defaultLimit = 5;

/** A whole number of 0 or more; anything that is not a number means the default. */
export function readLimit(limit: number | undefined): number {
  return limit === undefined || Number.isNaN(limit) ? defaultLimit : Math.max(0, Math.floor(limit));
}
