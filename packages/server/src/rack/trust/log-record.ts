import {
  addToAudit,
  type Breadcrumb,
  type BreadcrumbDraft,
  type BreadcrumbStore,
  type DefinitionLogEntry,
  openDefinitionLog,
  StoreError,
} from "@toolrack/store";
import { agentOf, type Author, signedBy } from "../audit/author.ts";

/** The stores of a rack: `inner` has the server's own records, `store` the log and the audit of the tenant. */
export interface LoggedStores {
  readonly inner: BreadcrumbStore;
  readonly store: BreadcrumbStore;
}

/** One decision about a definition. */
export interface LoggedDecision {
  readonly by: Author;
  /** The kind of the audit line: "overlay-set". */
  readonly audit: string;
  /** The name of the tool here, which the line is about. */
  readonly subject: string;
  readonly entry: Omit<DefinitionLogEntry, "by">;
}

export interface LoggedWrite {
  readonly id: string;
  readonly draft: Omit<BreadcrumbDraft, "id" | "version"> | undefined;
  /** The version that was looked at; undefined in it: there was none. Throws STATE_INVALID where another one is there. @default any */
  readonly over?: { readonly version: number | undefined };
}

/** Writes a record, or with `undefined` removes it, with its line in the audit and its entry in the log: all of them, or nothing. */
export function writeLogged(
  { inner, store }: LoggedStores,
  { id, draft, over }: LoggedWrite,
  { by, audit, subject, entry }: LoggedDecision,
): Promise<Breadcrumb | undefined> {
  return inner.transaction(async (tx) => {
    const known = await tx.get(id);
    if (over !== undefined && over.version !== known?.version)
      throw new StoreError(
        "STATE_INVALID",
        `Somebody else changed what is said of "${entry.tool}" in the meantime. Look at it, then try again.`,
      );
    if (draft === undefined && known === undefined) return undefined;
    const written = draft === undefined ? await tx.remove(id) : await tx.put({ ...draft, id, ...(known && { version: known.version }) });
    if (!written.ok) throw new Error(written.message);
    const tenant = tx.as(store.actor);
    await openDefinitionLog(tenant).append([{ ...entry, by: agentOf(by) }], tenant);
    const { source, tool, detail = {} } = entry;
    await addToAudit(tenant, [{ kind: audit, subject, ...signedBy(by), body: { ...detail, upstream: { source, tool } } }]);
    return written.record;
  });
}
