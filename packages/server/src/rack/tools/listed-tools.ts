import type { Registry, ToolDefinition } from "@toolrack/core";
import { metaToolNames } from "@toolrack/core/search";

/**
 * The same registry; its lists leave out the tools of these sources for callers who have the search tools, and so find and call them. A
 * caller without the search tools is shown everything, so that no tool is out of reach. Without such sources a view is the registry's own.
 */
export function withSearchedSources(registry: Registry, searched: () => ReadonlySet<string>): Registry {
  const lists = new WeakMap<readonly ToolDefinition[], { readonly key: string; readonly tools: readonly ToolDefinition[] }>();
  const view: Registry["view"] = (caller) => {
    const whole = registry.view(caller);
    const sources = searched();
    if (sources.size === 0 || !metaToolNames.every((name) => whole.offered(name) !== undefined)) return whole;
    const key = [...sources].join("\n");
    let kept = lists.get(whole.tools);
    if (kept?.key !== key) {
      const left = new Set(registry.entries().flatMap(({ tool, source }) => (sources.has(source) ? [tool] : [])));
      kept = { key, tools: Object.freeze(whole.tools.filter((tool) => !left.has(tool))) };
      lists.set(whole.tools, kept);
    }
    const { tools } = kept;
    const { offered, decision, decisionAbout } = whole;
    return {
      tools,
      get known() {
        return whole.known;
      },
      get warnings() {
        return whole.warnings;
      },
      offered,
      decision,
      decisionAbout,
    };
  };
  return Object.create(registry, { view: { value: view } }) as Registry;
}
