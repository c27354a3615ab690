import type { Breadcrumb } from "../record/breadcrumb.ts";
import { decisionOn } from "../record/decision.ts";

export type ToolLifecycle = "draft" | "validated" | "approved" | "deprecated" | "archived";

type Stated = Pick<Breadcrumb, "context"> & Partial<Pick<Breadcrumb, "title" | "updated_as" | "decision">>;

/**
 * Where a definition stands. Only a recorded decision about exactly this content makes it callable; what the content says of itself can
 * take that away, and never give it. A record from elsewhere, which does not say in which role it was written, is taken at its word.
 */
export function stateOf({ context, title = "", updated_as, decision }: Stated): ToolLifecycle {
  const claimed = context["state"] as ToolLifecycle | undefined;
  if (updated_as === undefined) return claimed ?? "approved";
  const decided = decision && decisionOn({ title, context, decision })?.decision;
  if (decided === "archived") return "archived";
  if (claimed === "draft" || claimed === "validated" || claimed === "archived") return claimed;
  return decided === "approved" || decided === "deprecated" ? decided : "draft";
}

/** Whether a definition in this state may be listed and called. */
export function isCallable(state: ToolLifecycle): boolean {
  return state === "approved" || state === "deprecated";
}
