/** The last few searches of each owner, to find out which search a call came from. Bounded. */
export interface RecentSearches {
  note(owner: string, query: string, tools: readonly string[]): void;
  /** The latest query of this owner that found the tool. */
  queryFor(owner: string, tool: string): string | undefined;
}

interface Search {
  readonly query: string;
  readonly tools: ReadonlySet<string>;
}

export function createRecentSearches(maxOwners = 1_000, maxSearches = 16): RecentSearches {
  const byOwner = new Map<string, Search[]>();
  return {
    note(owner, query, tools) {
      const searches = [{ query, tools: new Set(tools) }, ...(byOwner.get(owner) ?? [])].slice(0, maxSearches);
      byOwner.delete(owner);
      byOwner.set(owner, searches);
      const oldest = byOwner.keys().next().value;
      if (byOwner.size > maxOwners && oldest !== undefined) byOwner.delete(oldest);
    },
    queryFor: (owner, tool) => byOwner.get(owner)?.find(({ tools }) => tools.has(tool))?.query,
  };
}
