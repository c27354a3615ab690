import type { PolicyGate } from "./gate.ts";

/** Tools that are switched off, not approved, or miss something on this machine: whatever the registry says about each. */
export const availabilityGate: PolicyGate = (tool, { availabilityOf }) => availabilityOf?.(tool);
