import type { GateFinding, PolicyGate } from "./gate.ts";

/** Tools that are switched off, not approved, or miss something on this machine: whatever the registry says about each. */
export const standingGate: PolicyGate = (tool, { standingOf }) => standingOf?.(tool);

/** A tool whose capabilities are not all there: ["git"] → closed by "capability". */
export function standingOfCapabilities(missing: readonly string[], remedy?: string): GateFinding | undefined {
  if (missing.length === 0) return undefined;
  return { rule: "capability", reason: `it needs ${missing.join(", ")}, which is missing here`, ...(remedy !== undefined && { remedy }) };
}

/** The states a stored tool goes through. Only approved tools may be called, and deprecated ones until they are archived. */
export const lifecycleStates: readonly LifecycleState[] = Object.freeze([
  "draft",
  "validated",
  "approved",
  "deprecated",
  "archived",
] as const);

export type LifecycleState = "draft" | "validated" | "approved" | "deprecated" | "archived";

/** A state that nobody knows is closed. */
export function standingOfLifecycle(state: string): GateFinding | undefined {
  if (state === "approved" || state === "deprecated") return undefined;
  const known = (lifecycleStates as readonly string[]).includes(state);
  return {
    rule: "state",
    reason: known ? `its state is ${state}, and only approved tools are offered` : `its state ${JSON.stringify(state)} is unknown`,
    remedy: state === "archived" ? "Restore and approve it" : "Approve it",
  };
}
