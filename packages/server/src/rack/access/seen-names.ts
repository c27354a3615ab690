import type { Registry } from "@toolrack/core";
import { type BreadcrumbStore, findSeen } from "@toolrack/store";
import { overlaidOf } from "../trust/noted-overlays.ts";

/** Names of tools here, and the name that the tool below an overlay has. */
type Tools = Pick<Registry, "get">;

/**
 * The same store, in which "tool-def-<name>" also reads what the server wrote about the tool with this name, unless a person or an agent wrote a
 * definition of that id. So the history of every tool is read in one way, wherever the tool comes
 * from, also under the name that an overlay gives to it.
 */
export function withSeenNames(store: BreadcrumbStore, tools: Tools): BreadcrumbStore {
  const idFor = (id: string): Promise<string> => recordIdFor(store, tools, id);
  const reads: Partial<BreadcrumbStore> = {
    get: async (id) => store.get(await idFor(id)),
    getBreadcrumb: async (id) => store.getBreadcrumb(await idFor(id)),
    history: async (id, options) => store.history(await idFor(id), options),
    diff: async (id, from, to) => store.diff(await idFor(id), from, to),
    transaction: (work) => store.transaction((tx) => work(withSeenNames(tx, tools))),
  };
  return Object.assign(Object.create(store) as BreadcrumbStore, reads);
}

/** The id of the record that is meant by an id. */
async function recordIdFor(store: BreadcrumbStore, tools: Tools, id: string): Promise<string> {
  if (!id.startsWith(prefix) || (await store.history(id, { limit: 1 })).length > 0) return id;
  const name = id.slice(prefix.length);
  const tool = tools.get(name);
  const own = (tool && overlaidOf(tool)?.listedAs) ?? name;
  return (await findSeen(store, [own])).get(own)?.id ?? id;
}

const prefix = "tool-def-";
