import { type BreadcrumbStore, StoreError, type WriteResult } from "@toolrack/store";

/**
 * The same store, which refuses to write records that have a door of their own: a secret is set, and a configuration, which says where a
 * tool sends its secrets, is saved where that is checked. An admin may write configurations directly, too.
 */
export function guardWrites(store: BreadcrumbStore, { isAdmin }: { readonly isAdmin: boolean }): BreadcrumbStore {
  function demand(schemaName: string): void {
    if (schemaName === "tool.secret.v1")
      throw new StoreError("FORBIDDEN", "Records that stand for secrets are written by setting a secret: PUT /api/v1/secrets/{name}.");
    if (schemaName === "tool.config.v1" && !isAdmin)
      throw new StoreError(
        "FORBIDDEN",
        'Configurations are saved with PUT /api/v1/configs/{tool}. Writing their records directly needs the role "admin".',
      );
  }

  async function demandAt(id: string): Promise<void> {
    const [newest] = await store.history(id, { limit: 1 });
    if (newest !== undefined) demand(newest.record.schema_name);
  }

  const guarded =
    <Rest extends readonly unknown[]>(write: (id: string, ...rest: Rest) => Promise<WriteResult>) =>
    async (id: string, ...rest: Rest): Promise<WriteResult> => {
      await demandAt(id);
      return write(id, ...rest);
    };
  const writes: Partial<BreadcrumbStore> = {
    async put(draft, options) {
      demand(draft.schema_name);
      if (draft.id !== undefined) await demandAt(draft.id);
      return store.put(draft, options);
    },
    restore: guarded(store.restore),
    remove: guarded(store.remove),
    addTags: guarded(store.addTags),
    removeTags: guarded(store.removeTags),
    mergeContext: guarded(store.mergeContext),
    transaction: (work) => store.transaction((tx) => work(guardWrites(tx, { isAdmin }))),
  };
  return Object.assign(Object.create(store) as BreadcrumbStore, writes);
}
