import type { Caller } from "@toolrack/core";

/**
 * A key for one principal: its tasks, results, questions and sessions are accessible to no other.
 * Facts that change while the principal stays the same (model, run, phase …) are left out.
 */
export function principalOf({ tenant, principal, agent, sender, channel, group, owner, roles }: Caller): string {
  return JSON.stringify([tenant, principal, agent, sender, channel, group, owner, roles]);
}
