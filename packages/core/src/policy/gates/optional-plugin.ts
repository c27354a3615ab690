import { normalizeToolName } from "../../tool/name.ts";
import { grantingNames } from "../../tool/registered.ts";
import type { ListEntry } from "../entries/entries.ts";
import { pluginIdOf } from "../entries/indexed-tools.ts";
import { isCatalogName } from "../catalog/catalog.ts";
import type { GateFinding, PolicyGate } from "./gate.ts";
import type { PolicyTool } from "../policy.ts";

/** An optional tool of a plugin is offered only if an allow list names it, its plugin, or `group:plugins`; a glob does not count. */
export const optionalPluginGate: PolicyGate = (tool, { isNamed }) =>
  tool.metadata?.optionality === "optional" && pluginIdOf(tool) !== undefined && !isNamed(tool) ? notNamed : undefined;

const notNamed: GateFinding = Object.freeze({
  rule: "optional-plugin",
  reason: "it is an optional tool of a plugin, and no allow list names it",
  remedy: "Add its name to the allow list of its agent, or to alsoAllow where the agent has none",
});

/** What the allow lists of all steps name exactly. */
export function namedBy(entries: Iterable<ListEntry>): (tool: PolicyTool) => boolean {
  const names = new Set<string>();
  let everyPlugin = false;
  for (const entry of entries) {
    for (const atom of entry.atoms) {
      if (atom.kind === "plugins") everyPlugin = true;
      else if (atom.kind === "tool" || atom.kind === "tool-or-plugin") names.add(atom.name);
    }
  }
  return (tool) => {
    if (everyPlugin || grantingNames(tool).some((name) => names.has(normalizeToolName(name)))) return true;
    const plugin = pluginIdOf(tool);
    return plugin !== undefined && !isCatalogName(plugin) && names.has(plugin);
  };
}
