import { coreToolCatalog } from "./catalog.ts";

/** Groups by their full name: "group:fs" → its entries. */
export type ToolGroups = ReadonlyMap<string, readonly string[]>;

/** Every tool that has a plugin id. Its members depend on the registered tools, so it is not a list. */
export const pluginsGroup = "group:plugins";

/** The twelve groups of the catalog: group:openclaw, and one for each section. */
export const coreToolGroups: ToolGroups = groupCatalog();

export function isGroupEntry(entry: string): boolean {
  return entry.startsWith("group:");
}

function groupCatalog(): ToolGroups {
  const groups = new Map<string, string[]>([["group:openclaw", []]]);
  for (const tool of coreToolCatalog) {
    for (const group of tool.groups) {
      const members = groups.get(group);
      if (members) members.push(tool.name);
      else groups.set(group, [tool.name]);
    }
  }
  for (const members of groups.values()) Object.freeze(members);
  return groups;
}
