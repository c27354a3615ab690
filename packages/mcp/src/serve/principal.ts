import type { Caller } from "@toolrack/core";

/**
 * One text for one principal: what belongs to it (tasks, results, questions, sessions) answers to no other.
 * Facts that change while somebody stays the same (model, run, phase …) are left out.
 */
export function principalOf({ tenant, principal, agent, sender, channel, group, owner, roles }: Caller): string {
  return JSON.stringify([tenant, principal, agent, sender, channel, group, owner, roles]);
}
