import type { Breadcrumb } from "../record/breadcrumb.ts";
import { decisionOn } from "../record/decision.ts";

/** "changed": the source of a served tool sends another definition now, and a person has not agreed to it yet. */
export type ToolLifecycle = "draft" | "validated" | "approved" | "deprecated" | "archived" | "changed";

type Stated = Pick<Breadcrumb, "context"> & Partial<Pick<Breadcrumb, "title" | "updated_as" | "decision">>;

/**
 * The lifecycle state of a definition. Only a recorded decision about exactly this content makes it callable; the content itself can only
 * restrict that. A record of another system, which does not state the role of its author, is trusted.
 */
export function stateOf({ context, title = "", updated_as, decision }: Stated): ToolLifecycle {
  const claimed = context["state"] as ToolLifecycle | undefined;
  if (updated_as === undefined) return claimed ?? "approved";
  const decided = decision && decisionOn({ title, context, decision })?.decision;
  if (decided === "archived") return "archived";
  if (claimed === "draft" || claimed === "validated" || claimed === "archived" || claimed === "changed") return claimed;
  return decided === "approved" || decided === "deprecated" ? decided : "draft";
}

/** Whether a definition in this state may be listed and called. */
export function isCallable(state: ToolLifecycle): boolean {
  return state === "approved" || state === "deprecated";
}
