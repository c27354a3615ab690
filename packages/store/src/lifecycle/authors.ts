import { definitionHash } from "../record/decision.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { isOnePerson } from "./one-person.ts";

/**
 * Whether the store's actor has a share in what would be decided about: it changed the content in any revision since the one that was approved
 * last. A revision that does not change the content (only tags or the state) adds no author, and a small edit by someone else
 * removes none.
 */
export async function hasWritten(store: BreadcrumbStore, id: string): Promise<boolean> {
  const { agent, signedInAs } = store.actor;
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
      newer = { hash, isOwn: isOnePerson([record.updated_by, record.updated_agent], [agent, signedInAs]) };
    }
    if (page.length < pageSize) return newer?.isOwn === true;
    before = page.at(-1)!.record.version;
  }
}

const pageSize = 20;
