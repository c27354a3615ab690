import { StoreError } from "../errors.ts";
import type { Breadcrumb } from "../record/breadcrumb.ts";
import { termsOf, toTerms } from "../record/terms.ts";
import { readCursor } from "./cursor.ts";
import { type ReadSelector, readSelector, type Selector, selectorFields } from "./selector.ts";

export interface SearchQuery extends Selector {
  /** Words; a record is found when each begins one of its own words. */
  readonly text?: string;
  /** At most 1,000. @default 50 */
  readonly limit?: number;
  /** Where the last page ended. */
  readonly cursor?: string;
  /** Whether the records come with their context. @default false */
  readonly includeContext?: boolean;
}

export interface ReadSearch {
  readonly selector: ReadSelector;
  readonly terms: readonly string[];
  readonly limit: number;
  /** Position of the last record already given out. */
  readonly after: number;
  readonly includeContext: boolean;
  /** The query without its paging, for the cursor. */
  readonly question: unknown;
}

export function readSearch(query: SearchQuery = {}): ReadSearch {
  const selector = readSelector(query, ["text", "limit", "cursor", "includeContext"]);
  const { text, limit = 50, cursor, includeContext = false } = query;
  if (text !== undefined && (typeof text !== "string" || text.length > 1_000))
    throw invalid("text must be a text of at most 1,000 characters.");
  const terms = text === undefined ? [] : toTerms(text, 32);
  if (text !== undefined && terms.length === 0) throw invalid("text holds no letter and no digit to search for. Leave it out.");
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1_000) throw invalid("limit must be a whole number from 1 to 1,000.");
  if (typeof includeContext !== "boolean") throw invalid("includeContext must be true or false.");
  const question = [...selectorFields.map((field) => (query as Record<string, unknown>)[field] ?? null), terms];
  return { selector, terms, limit, includeContext, question, after: cursor === undefined ? 0 : readCursor(cursor, question) };
}

/** Whether a search finds this record, wherever the record comes from. */
export function meetsSearch(record: Breadcrumb, search: SearchQuery): boolean {
  const { cursor: _, ...query } = search;
  const { selector, terms } = readSearch(query);
  if (!selector.meets(record)) return false;
  if (terms.length === 0) return true;
  const own = termsOf(record.id, record);
  return terms.every((wanted) => own.some((term) => term.startsWith(wanted)));
}

function invalid(message: string): StoreError {
  return new StoreError("QUERY_INVALID", message);
}
