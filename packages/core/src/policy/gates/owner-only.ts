import type { GateFinding, PolicyGate } from "./gate.ts";

/** Only a caller that is known to be the owner passes; an unknown caller is not the owner. */
export const ownerOnlyGate: PolicyGate = (tool, { caller }) =>
  tool.metadata?.ownerOnly === true && caller.owner !== true ? ownersOnly : undefined;

const ownersOnly: GateFinding = Object.freeze({
  rule: "owner-only",
  reason: "only the owner may use it, and the caller is not known to be the owner",
  remedy: "Call it as the owner",
});
