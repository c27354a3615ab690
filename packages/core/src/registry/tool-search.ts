import type { Caller } from "../tool/context.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { readLimit, type ToolHit } from "../search/search.ts";
import { createToolIndex, type ToolIndex } from "../search/tool-index.ts";
import type { SearchUsage } from "../search/usage.ts";

export interface RegistrySearchOptions {
  /** At most so many hits. @default 5 */
  readonly limit?: number;
  /** For whom: nothing but what this caller may see is found, and nothing else counts. @default a caller of whom nothing is known */
  readonly caller?: Caller;
  /** Raises tools that this caller called after like queries. @default off */
  readonly usage?: SearchUsage;
}

export interface SearchedShelf {
  /** The tools that everybody shares; the same array until something changes. */
  tools(): readonly ToolDefinition[];
  /** What this caller may see. */
  view(caller: Caller): readonly ToolDefinition[];
  sourceOf(tool: ToolDefinition): string | undefined;
}

/** Keeps one index in step with the tools of a registry: what did not change is not read again. */
export function createToolSearch(
  shelf: SearchedShelf,
): (query: string, options?: RegistrySearchOptions) => readonly ToolHit<ToolDefinition>[] {
  let made: ToolIndex<ToolDefinition> | undefined;
  let shared: ReadonlySet<ToolDefinition> = new Set();
  let listed: readonly ToolDefinition[] = [];
  /** Tools that exist for one caller only: in the index, and visible to nobody else. */
  const guests = new Set<ToolDefinition>();
  let seen = new WeakSet<readonly ToolDefinition[]>();

  function keepInStep(index: ToolIndex<ToolDefinition>): void {
    const now = shelf.tools();
    if (now === listed) return;
    const next = new Set(now);
    for (const tool of shared) if (!next.has(tool)) index.remove(tool);
    for (const tool of next) if (!shared.has(tool)) index.add(tool);
    [shared, listed] = [next, now];
    seen = new WeakSet();
  }

  function admit(tools: readonly ToolDefinition[], index: ToolIndex<ToolDefinition>): void {
    if (seen.has(tools)) return;
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
      seen = new WeakSet();
    }
    seen.add(tools);
  }

  return (query, { limit, caller = {}, usage } = {}) => {
    const among = shelf.view(caller);
    // Most registries are never searched.
    const index = (made ??= createToolIndex<ToolDefinition>([], { sourceOf: (tool) => shelf.sourceOf(tool) }));
    keepInStep(index);
    admit(among, index);
    const owner = usage && searchOwner(caller);
    if (usage === undefined || owner === undefined) return index.search(query, { ...(limit !== undefined && { limit }), among });
    const most = readLimit(limit);
    return usage.raise(owner, query, index.search(query, { limit: Math.max(most * 4, 40), among })).slice(0, most);
  };
}

const maxGuests = 1_000;

/** Whose habits a search learns from: tenant, sender and agent together. Nobody's, where nothing is known of the caller. */
export function searchOwner({ tenant, sender, agent }: Caller): string | undefined {
  if (tenant === undefined && sender === undefined && agent === undefined) return undefined;
  return JSON.stringify([tenant ?? null, sender ?? null, agent ?? null]);
}
