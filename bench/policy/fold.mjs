/**
 * The yardstick: each step is expanded into a flat list of compiled entries, and every tool that is left is held against one entry
 * after the other until one matches. Answers the tools that are left.
 */
export function foldEveryEntry({ tools, steps, groups, normalize }) {
  const plugins = tools.filter((tool) => tool.metadata?.pluginId !== undefined);
  const expand = (entries) =>
    [...new Set(entries.map(normalize).flatMap((entry) => expandEntry(entry, plugins, groups, normalize)))].map(compile);
  let left = tools;
  for (const { allow = [], alsoAllow = [], deny = [] } of steps) {
    const allowed = expand([...allow, ...alsoAllow]);
    const denied = expand(deny);
    left = left.filter((tool) => {
      const name = normalize(tool.name);
      return !matchesAny(name, denied) && (allowed.length === 0 || matchesAny(name, allowed));
    });
  }
  return left;
}

function matchesAny(name, patterns) {
  for (const pattern of patterns) {
    if (pattern.kind === "all") return true;
    if (pattern.kind === "exact" && name === pattern.value) return true;
    if (pattern.kind === "glob" && pattern.value.test(name)) return true;
  }
  return false;
}

function expandEntry(entry, plugins, groups, normalize) {
  if (entry === "group:plugins") return plugins.map((tool) => normalize(tool.name));
  const own = plugins.filter((tool) => tool.metadata.pluginId === entry).map((tool) => normalize(tool.name));
  return own.length > 0 ? own : (groups.get(entry) ?? [entry]);
}

function compile(entry) {
  if (entry === "*") return { kind: "all" };
  if (!entry.includes("*")) return { kind: "exact", value: entry };
  const escaped = entry.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  return { kind: "glob", value: new RegExp(`^${escaped}$`) };
}
