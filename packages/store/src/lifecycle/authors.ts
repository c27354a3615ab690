import { definitionHash } from "../record/decision.ts";
import type { BreadcrumbStore } from "../store/store.ts";

/**
 * Whether the store's actor has a share in what would be decided about: it changed the content in any revision since the one that was approved
 * last. A revision that leaves the content as it was (its tags, its state) makes nobody an author, and a small edit by somebody else
 * makes nobody less of one.
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
      newer = { hash, isOwn: isSame(record.updated_by, store.actor.agent) };
    }
    if (page.length < pageSize) return newer?.isOwn === true;
    before = page.at(-1)!.record.version;
  }
}

/** "anna" and "token https://login.example.com/ anna" may be one person, who must not decide with the one about what the other wrote. */
function isSame(writer: string, decider: string): boolean {
  return writer === decider || writer.endsWith(` ${decider}`) || decider.endsWith(` ${writer}`);
}

const pageSize = 20;
