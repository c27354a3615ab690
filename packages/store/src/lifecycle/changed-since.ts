import type { Breadcrumb } from "../record/breadcrumb.ts";
import { definitionHash } from "../record/decision.ts";
import { checksumOf } from "../record/json.ts";
import type { BreadcrumbStore } from "../store/store.ts";

/** How many versions are searched for the reviewed one. */
const versionsSearched = 100;

/** Why a decision about the content with this hash does not count for the record as it is now: the parts that changed, where that is known. */
export async function changedSince(store: BreadcrumbStore, record: Breadcrumb, hash: string): Promise<string> {
  const now = `its hash is ${definitionHash(record)} now`;
  const next = "Look at it again, then decide.";
  const versions = await store.history(record.id, { limit: versionsSearched });
  const looked = versions.find((version) => definitionHash(version.record) === hash)?.record;
  if (looked === undefined) return `The definition "${record.id}" has changed since it was looked at: ${now}. ${next}`;
  const parts = [...new Set([...Object.keys(looked.context), ...Object.keys(record.context)])]
    .filter((part) => !standing.has(part) && checksumOf(looked.context[part] ?? null) !== checksumOf(record.context[part] ?? null))
    .sort();
  const changed = [...(looked.title === record.title ? [] : ["title"]), ...parts].join(", ");
  return `The definition "${record.id}" has changed since version ${looked.version}, which was looked at: ${changed}. It is version ${record.version}, and ${now}. ${next}`;
}

/** Fields that only state the lifecycle of a definition, and are not part of its hash. */
const standing: ReadonlySet<string> = new Set(["state", "review", "deprecated"]);
