import { ToolError } from "../errors.ts";
import type { Caller } from "../tool/context.ts";
import { checkArgument, checkFields, fitsFields, type FieldsOf, number, objectWith, portWith, text } from "../util/check-fields.ts";
import { callerFields } from "../tool/check-caller.ts";
import { checkIsList } from "../tool/check-list.ts";
import { originOf, type ToolCollection } from "../tool/list-origin.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import type { AbortSignal } from "../util/abort-signal.ts";
import type { Reranker } from "./reranker.ts";
import { readLimit, type ToolHit } from "./search.ts";
import { createToolIndex, type ToolIndex } from "./tool-index.ts";
import type { SearchUsage } from "./usage.ts";

export interface SearchToolsOptions {
  /** The largest number of hits. @default 5 */
  readonly limit?: number;
  /** Raises tools that this caller called after similar queries. @default off */
  readonly usage?: SearchUsage;
  /** Whose usage counts; needed with `usage`. */
  readonly caller?: Caller;
}

/**
 * The tools of the list that fit what is asked, the best first. Nothing outside of the list is found or counted. The index is remembered:
 * all lists of one registry share one, which reads again only what changed.
 */
export function searchTools(
  tools: readonly ToolDefinition[],
  query: string,
  options: SearchToolsOptions = {},
): readonly ToolHit<ToolDefinition>[] {
  checkIsList(tools, "searchTools");
  checkArgument(query, text, "searchTools");
  if (!fitsFields(options, optionFields)) checkFields(options, optionFields, { subject: "searchTools", word: "option" });
  const { limit, usage, caller } = options;
  if (usage !== undefined && caller === undefined) throw new ToolError("INPUT_INVALID", usageOfNobody);
  const search = searcherOf(tools);
  const owner = caller && usage && searchOwner(caller);
  if (usage === undefined || owner === undefined) return search(query, tools, limit);
  const most = readLimit(limit);
  return usage.raise(owner, query, search(query, tools, Math.max(most * 4, 40))).slice(0, most);
}

export interface SearchByMeaningOptions extends SearchToolsOptions {
  readonly reranker: Reranker;
  readonly signal?: AbortSignal;
}

/**
 * As `searchTools`, and the first hits are reordered by meaning. Only tools of the list reach the embedder. If that fails, the answer is
 * that of `searchTools`.
 */
export async function searchToolsByMeaning(
  tools: readonly ToolDefinition[],
  query: string,
  { reranker, signal, limit, ...options }: SearchByMeaningOptions,
): Promise<readonly ToolHit<ToolDefinition>[]> {
  const most = readLimit(limit);
  const hits = searchTools(tools, query, { ...options, limit: Math.max(most, reranker.candidates) });
  return (await reranker.rerank(query, hits, signal && { signal })).slice(0, most);
}

const optionFields: FieldsOf<SearchToolsOptions> = { limit: number, usage: portWith("note", "raise"), caller: objectWith(callerFields) };

const usageOfNobody =
  "searchTools was given usage without a caller, so it is not known whose usage counts. Pass the caller, too: { usage, caller }.";

/** Whose habits a search learns from: tenant, sender and agent together. Undefined if nothing is known of the caller. */
export function searchOwner({ tenant, sender, agent }: Caller): string | undefined {
  if (tenant === undefined && sender === undefined && agent === undefined) return undefined;
  return JSON.stringify([tenant ?? null, sender ?? null, agent ?? null]);
}

type Searcher = (query: string, among: readonly ToolDefinition[], limit: number | undefined) => readonly ToolHit<ToolDefinition>[];

/** By collection, or by the list itself if it comes from none. */
const searchers = new WeakMap<object, Searcher>();

function searcherOf(tools: readonly ToolDefinition[]): Searcher {
  const collection = originOf(tools)?.collection;
  let searcher = searchers.get(collection ?? tools);
  if (searcher === undefined) {
    searcher = createSearcher(collection ?? { tools: () => tools, sourceOf: () => undefined });
    searchers.set(collection ?? tools, searcher);
  }
  return searcher;
}

function createSearcher(collection: ToolCollection): Searcher {
  const index: ToolIndex<ToolDefinition> = createToolIndex([], { sourceOf: (tool) => collection.sourceOf(tool) });
  let shared: ReadonlySet<ToolDefinition> = new Set();
  let listed: readonly ToolDefinition[] = [];
  /** Tools that exist for one caller only: in the index, and found in no other list. */
  const guests = new Set<ToolDefinition>();
  let indexed = new WeakSet<readonly ToolDefinition[]>();

  function readChanges(): void {
    const now = collection.tools();
    if (now === listed && Object.isFrozen(now)) return;
    const next = new Set(now);
    for (const tool of shared) if (!next.has(tool)) index.remove(tool);
    for (const tool of next) if (!shared.has(tool)) index.add(tool);
    [shared, listed] = [next, now];
    indexed = new WeakSet();
  }

  function indexGuests(tools: readonly ToolDefinition[]): void {
    if (indexed.has(tools)) return;
    for (const tool of tools) {
      if (shared.has(tool)) continue;
      guests.delete(tool);
      guests.add(tool);
      index.add(tool);
    }
    for (const oldest of guests) {
      if (guests.size <= maxGuests || tools.includes(oldest)) break;
      guests.delete(oldest);
      if (!shared.has(oldest)) index.remove(oldest);
      indexed = new WeakSet();
    }
    indexed.add(tools);
  }

  return (query, among, limit) => {
    readChanges();
    indexGuests(among);
    return index.search(query, { ...(limit !== undefined && { limit }), ...(among !== listed && { among }) });
  };
}

const maxGuests = 1_000;
