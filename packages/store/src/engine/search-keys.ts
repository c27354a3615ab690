import { contentOf } from "../record/breadcrumb.ts";
import { identityOf } from "../record/identity.ts";
import { termsOf } from "../record/terms.ts";
import type { Head, Saving } from "./engine.ts";

/** What finds a head: the identity and the terms that `save` was given for it. `addHeads` derives them with this. */
export function searchKeysOf({ record, deleted }: Pick<Head, "record" | "deleted">): Pick<Saving, "identity" | "terms"> {
  if (deleted) return { identity: undefined, terms: [] };
  const content = contentOf(record);
  return { identity: identityOf(content), terms: termsOf(record.id, content) };
}
