import { withImplied } from "../access/implied-roles.ts";
import type { ApiKey } from "../rack.ts";

/** The roles of all keys of a principal that are valid at a time; undefined if it has none. */
export function heldRoles(principal: string, keys: readonly ApiKey[], now: number): ReadonlySet<string> | undefined {
  const valid = keys.filter(({ agent, expiresAt }) => `key ${agent}` === principal && (expiresAt === undefined || expiresAt > now));
  return valid.length === 0 ? undefined : withImplied(valid.flatMap(({ roles }) => roles));
}
