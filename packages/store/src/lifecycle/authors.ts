import type { Actor } from "../access.ts";
import type { Breadcrumb } from "../record/breadcrumb.ts";
import { definitionHash } from "../record/decision.ts";
import type { BreadcrumbStore } from "../store/store.ts";

/**
 * Whether the store's actor has a share in what would be decided about: it changed the content in any revision since the one that was approved
 * last. A revision that does not change the content (only tags or the state) adds no author, and a small edit by someone else
 * removes none.
 */
export async function hasWritten(store: BreadcrumbStore, id: string): Promise<boolean> {
  const { decision } = (await store.get(id)) ?? {};
  const decided = decision?.decision === "approved" || decision?.decision === "deprecated" ? decision.hash : undefined;
  let newer: { readonly hash: string; readonly isOwn: boolean } | undefined;
  let before: number | undefined;
  for (;;) {
    const page = await store.history(id, { limit: pageSize, ...(before !== undefined && { before }) });
    for (const { record } of page) {
      const hash = definitionHash(record);
      if (newer?.isOwn === true && newer.hash !== hash) return true;
      if (hash === decided) return false;
      newer = { hash, isOwn: isSame(record, store.actor) };
    }
    if (page.length < pageSize) return newer?.isOwn === true;
    before = page.at(-1)!.record.version;
  }
}

/**
 * One agent may sign in by a key and by tokens of several issuers and subjects: what it wrote with the one it must not decide about with
 * the other. Of records without the name of the sign-in, "token https://login.example.com/ anna" counts as "anna".
 */
function isSame({ updated_by, updated_agent = updated_by }: Breadcrumb, { agent, signedInAs = agent }: Actor): boolean {
  const [writer, decider] = [
    [updated_by, updated_agent],
    [agent, signedInAs],
  ].map((names) => names.map((name) => name.normalize("NFKC").toLowerCase()));
  return writer!.some((one) => decider!.some((other) => one === other || one.endsWith(` ${other}`) || other.endsWith(` ${one}`)));
}

const pageSize = 20;
