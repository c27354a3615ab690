import type { Caller } from "@toolrack/core";
import { withImplied } from "../access/implied-roles.ts";
import type { ApiKeys } from "../rack.ts";

/**
 * Reports callers who lost what they had with a key that ended: their agent has no key any more, or they act as another agent and have none of an
 * admin. Another key of the same agent is the same principal.
 */
export function whenKeysEnd(keys: Pick<ApiKeys, "list" | "onEnd">, listener: (isOver: (caller: Caller) => boolean) => void): () => void {
  return keys.onEnd((_id, agent) => {
    void keys.list().then((live) =>
      listener(({ principal, acting }) => {
        if (principal?.startsWith("key ") !== true || (agent !== undefined && principal !== `key ${agent}`)) return false;
        const held = live.filter((key) => principal === `key ${key.agent}`);
        return held.length === 0 || (acting === true && !withImplied(held.flatMap(({ roles }) => roles)).has("admin"));
      }),
    );
  });
}
