import type { PolicyGate } from "./gate.ts";

/** Tools that are switched off, not approved, or lack something on this machine, as the registry reports. */
export const availabilityGate: PolicyGate = (tool, { availabilityOf }) => availabilityOf?.(tool);
