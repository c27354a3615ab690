import { toAgentKey } from "@toolrack/core/policy";
import { withImplied } from "../access/implied-roles.ts";
import type { ApiKey } from "../rack.ts";

/** Whether a principal signed in with a key of an agent, in whatever spelling; without an agent, with any key. */
export function isOfKey(principal: string | undefined, agent?: string): boolean {
  if (principal?.startsWith("key ") !== true) return false;
  return agent === undefined || toAgentKey(principal.slice("key ".length)) === toAgentKey(agent);
}

/** The roles of all keys of a principal that are valid at a time; undefined if it has none. */
export function heldRoles(principal: string, keys: readonly ApiKey[], now: number): ReadonlySet<string> | undefined {
  const valid = keys.filter(({ agent, expiresAt }) => (expiresAt === undefined || expiresAt > now) && isOfKey(principal, agent));
  return valid.length === 0 ? undefined : withImplied(valid.flatMap(({ roles }) => roles));
}
