import {
  addToAudit,
  type Breadcrumb,
  type BreadcrumbDraft,
  type BreadcrumbStore,
  type DefinitionLogEntry,
  openDefinitionLog,
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

/** Writes a record, or with `undefined` removes it, with its line in the audit and its entry in the log: all of them, or nothing. */
export function writeLogged(
  { inner, store }: LoggedStores,
  { id, draft }: { readonly id: string; readonly draft: Omit<BreadcrumbDraft, "id" | "version"> | undefined },
  { by, audit, subject, entry }: LoggedDecision,
): Promise<Breadcrumb | undefined> {
  return inner.transaction(async (tx) => {
    const known = await tx.get(id);
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
