import { definitionHash } from "../record/decision.ts";
import type { BreadcrumbStore } from "../store/store.ts";

/**
 * Whether the store's actor brought this content into the record, at any time. A revision that leaves the content as it was (its tags, its
 * state) makes nobody its author.
 */
export async function hasWritten(store: BreadcrumbStore, id: string, hash: string): Promise<boolean> {
  const { agent } = store.actor;
  /** Wrote a revision with this content; whether the one before it already had it shows with the next. */
  let isSuspect = false;
  let before: number | undefined;
  for (;;) {
    const page = await store.history(id, { limit: pageSize, ...(before !== undefined && { before }) });
    for (const { record } of page) {
      const isIt = definitionHash(record) === hash;
      if (isSuspect && !isIt) return true;
      isSuspect = isIt && record.updated_by === agent;
    }
    if (page.length < pageSize) return isSuspect;
    before = page.at(-1)!.record.version;
  }
}

const pageSize = 20;
