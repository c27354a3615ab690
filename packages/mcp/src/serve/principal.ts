import { createHash } from "node:crypto";
import type { Caller } from "@toolrack/core";

/**
 * One short text for one principal: what belongs to it (tasks, results, questions, sessions) answers to no other.
 * Facts that change while somebody stays the same (model, run, phase …) are left out.
 */
export function principalOf({ tenant, agent, sender, channel, group, owner, roles }: Caller): string {
  if (tenant === undefined && agent === undefined && sender === undefined && channel === undefined && group === undefined) {
    if (owner === undefined && roles === undefined) return "anyone";
  }
  const facts = JSON.stringify([tenant, agent, sender, channel, group, owner, roles]);
  return createHash("sha256").update(facts).digest("base64url").slice(0, 32);
}
