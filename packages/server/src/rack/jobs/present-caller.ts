import type { Caller } from "@toolrack/core";
import { heldRoles, isOfKey } from "../keys-and-tokens/held-roles.ts";
import type { ApiKeys } from "../rack.ts";

/**
 * A caller of earlier, with the rights that it had then and still has; a sentence if it has none any more. Whoever signed in with a key needs a
 * key that is valid now, and, acting as another agent, one of an admin. Whoever did not sign in has rights until there is a key.
 */
export async function presentCaller(caller: Caller, keys: Pick<ApiKeys, "list" | "wereMade">, now: number): Promise<Caller | string> {
  const { principal, acting, roles } = caller;
  if (principal === "anonymous" && keys.wereMade()) return "Whoever has not signed in may do nothing since a key was created.";
  if (principal === undefined || !isOfKey(principal)) return caller;
  const held = heldRoles(principal, await keys.list(), now);
  const name = principal.slice("key ".length);
  if (held === undefined) return `The key of "${name}" was revoked or has expired.`;
  if (acting === true && !held.has("admin")) return `"${name}" is not an admin any more, and may not act as "${caller.agent ?? ""}".`;
  const { owner, ...facts } = caller;
  return {
    ...facts,
    ...(roles !== undefined && { roles: roles.filter((role) => held.has(role)) }),
    ...(owner === true && held.has("owner") && { owner }),
  };
}
