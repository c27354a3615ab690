import type { Breadcrumb } from "../record/breadcrumb.ts";

export type ToolLifecycle = "draft" | "validated" | "approved" | "deprecated" | "archived";

/**
 * Where a definition stands. Without a state it is approved when a curator wrote it last, and a draft otherwise; what an emitter
 * wrote last is at most validated, whatever it says of itself. Every record of a store says who wrote it; one from elsewhere that does not
 * is taken at its word.
 */
export function stateOf({ context, updated_as }: Pick<Breadcrumb, "context"> & Partial<Pick<Breadcrumb, "updated_as">>): ToolLifecycle {
  const state = context["state"] as ToolLifecycle | undefined;
  if (updated_as !== "emitter") return state ?? "approved";
  return state === "validated" || state === "archived" ? state : "draft";
}

/** Whether a definition in this state may be listed and called. */
export function isCallable(state: ToolLifecycle): boolean {
  return state === "approved" || state === "deprecated";
}
