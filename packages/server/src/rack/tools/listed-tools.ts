import type { Registry, ToolDefinition } from "@toolrack/core";
import { metaToolNames } from "@toolrack/core/search";

type View = ReturnType<Registry["view"]>;

/** What a narrowed view lists. */
interface Listing {
  /** The same text for the same choice: a list is made once for each. */
  readonly key: string;
  tools(): readonly ToolDefinition[];
  /** Whether a tool is offered. @default as in the whole view */
  isOffered?(name: string): boolean;
}

/**
 * The same registry; its lists leave out the tools of these sources for callers who have the search tools, and so find and call them. A
 * caller without the search tools is shown everything, so that no tool is out of reach. Without such sources a view is the registry's own.
 */
export function withSearchedSources(registry: Registry, searched: () => ReadonlySet<string>): Registry {
  return withListing(registry, (whole) => {
    const sources = searched();
    if (sources.size === 0 || !metaToolNames.every((name) => whole.offered(name) !== undefined)) return undefined;
    return {
      key: [...sources].join("\n"),
      tools() {
        const left = new Set(registry.entries().flatMap(({ tool, source }) => (sources.has(source) ? [tool] : [])));
        return whole.tools.filter((tool) => !left.has(tool));
      },
    };
  });
}

/** The same registry, which lists and offers only the tools with these names, in this order. */
export function listingOnly(registry: Registry, namesNow: () => ReadonlySet<string>): Registry {
  return withListing(registry, (whole) => {
    const names = namesNow();
    return {
      key: [...names].join("\n"),
      tools: () => [...names].flatMap((name) => whole.offered(name) ?? []),
      isOffered: (name) => names.has(name),
    };
  });
}

/** The same registry with other lists; the same list object until something changes. */
function withListing(registry: Registry, choose: (whole: View) => Listing | undefined): Registry {
  const lists = new WeakMap<readonly ToolDefinition[], { readonly key: string; readonly tools: readonly ToolDefinition[] }>();
  const view = (caller: Parameters<Registry["view"]>[0]): View => {
    const whole = registry.view(caller);
    const chosen = choose(whole);
    if (chosen === undefined) return whole;
    const { key, isOffered } = chosen;
    let kept = lists.get(whole.tools);
    if (kept?.key !== key) lists.set(whole.tools, (kept = { key, tools: Object.freeze(chosen.tools()) }));
    const { offered, decision, decisionAbout } = whole;
    return {
      tools: kept.tools,
      get known() {
        return whole.known;
      },
      get warnings() {
        return whole.warnings;
      },
      offered: isOffered === undefined ? offered : (name) => (isOffered(name) ? offered(name) : undefined),
      decision,
      decisionAbout,
    };
  };
  return Object.create(registry, { view: { value: view } }) as Registry;
}
