import type { Registry } from "@toolrack/core";
import { type BreadcrumbStore, StoreError, type WriteResult } from "@toolrack/store";
import { demandFreeName } from "./taken-name.ts";

export interface WriteGuard {
  readonly isAdmin: boolean;
  readonly registry: Pick<Registry, "get" | "entries">;
}

/**
 * The same store, but it refuses to write records that have operations of their own: secrets, and configurations of tools, which say where
 * a tool sends its secrets and are checked when they are saved. An admin may write configurations directly. A definition under the name of
 * a tool that is not stored is refused, because it could never be called.
 */
export function guardWrites(store: BreadcrumbStore, guard: WriteGuard): BreadcrumbStore {
  const { isAdmin, registry } = guard;
  const demand = (schemaName: string): void => demandWritable(schemaName, { isAdmin });

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
      demandFreeName(registry, { schema_name: draft.schema_name, context: draft.context ?? {} });
      if (draft.id !== undefined) await demandAt(draft.id);
      return store.put(draft, options);
    },
    restore: guarded(store.restore),
    remove: guarded(store.remove),
    addTags: guarded(store.addTags),
    removeTags: guarded(store.removeTags),
    mergeContext: guarded(store.mergeContext),
    transaction: (work) => store.transaction((tx) => work(guardWrites(tx, guard))),
  };
  return Object.assign(Object.create(store) as BreadcrumbStore, writes);
}

/** Throws for records that have operations of their own. */
export function demandWritable(schemaName: string, { isAdmin }: { readonly isAdmin: boolean }): void {
  if (schemaName === "tool.secret.v1")
    throw new StoreError("FORBIDDEN", "Records of secrets cannot be written directly. Set the secret with PUT /api/v1/secrets/{name}.");
  if (schemaName === "tool.config.v1" && !isAdmin)
    throw new StoreError(
      "FORBIDDEN",
      'Configurations are saved with PUT /api/v1/configs/{tool}. Writing their records directly needs the role "admin".',
    );
}
