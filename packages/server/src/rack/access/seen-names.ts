import { type BreadcrumbStore, findSeen } from "@toolrack/store";

/**
 * The same store, in which "tool-def-<name>" also reads what the server wrote about the tool with this name, unless a person or an agent wrote a
 * definition of that id. So the history of every tool is read in one way, wherever the tool comes from.
 */
export function withSeenNames(store: BreadcrumbStore): BreadcrumbStore {
  const reads: Partial<BreadcrumbStore> = {
    get: async (id) => store.get(await recordIdFor(store, id)),
    getBreadcrumb: async (id) => store.getBreadcrumb(await recordIdFor(store, id)),
    history: async (id, options) => store.history(await recordIdFor(store, id), options),
    diff: async (id, from, to) => store.diff(await recordIdFor(store, id), from, to),
    transaction: (work) => store.transaction((tx) => work(withSeenNames(tx))),
  };
  return Object.assign(Object.create(store) as BreadcrumbStore, reads);
}

/** The id of the record that is meant by an id. */
export async function recordIdFor(store: BreadcrumbStore, id: string): Promise<string> {
  if (!id.startsWith(prefix) || (await store.history(id, { limit: 1 })).length > 0) return id;
  return (await findSeen(store, id.slice(prefix.length))) ?? id;
}

const prefix = "tool-def-";
