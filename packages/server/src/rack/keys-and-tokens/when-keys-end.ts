import type { Caller } from "@toolrack/core";
import type { ApiKeys } from "../rack.ts";
import { heldRoles, isOfKey } from "./held-roles.ts";
import { onEnds } from "./on-ends.ts";

/**
 * Reports callers who lost what they had with a key that ended: their agent has no key any more, or they act as another agent and have none of an
 * admin. Another key of the same agent is the same principal.
 */
export function whenKeysEnd(
  keys: Pick<ApiKeys, "list" | "onEnd">,
  now: () => number,
  listener: (isOver: (caller: Caller) => boolean) => void,
): () => void {
  return onEnds(keys, (ended, left) =>
    listener(({ principal, acting }) => {
      if (principal === undefined || ![...ended].some((agent) => isOfKey(principal, agent))) return false;
      const held = heldRoles(principal, left, now());
      return held === undefined || (acting === true && !held.has("admin"));
    }),
  );
}
