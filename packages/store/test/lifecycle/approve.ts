import { approveDefinition } from "../../src/lifecycle/lifecycle.ts";
import type { Breadcrumb } from "../../src/record/breadcrumb.ts";
import { definitionHash } from "../../src/record/decision.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";

/** Approves the definition as it is now, as somebody who has just looked at it. */
export async function approveAsSeen(store: BreadcrumbStore, id: string, { reason }: { readonly reason: string }): Promise<Breadcrumb> {
  return approveDefinition(store, id, { reason, hash: definitionHash((await store.get(id))!) });
}
