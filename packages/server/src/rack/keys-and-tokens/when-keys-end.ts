import type { Caller } from "@toolrack/core";
import type { ApiKeys } from "../rack.ts";

/** Reports callers whose agent has no key any more. Another key of the same agent is the same principal. */
export function whenKeysEnd(keys: ApiKeys, listener: (isOver: (caller: Caller) => boolean) => void): () => void {
  return keys.onEnd(() => {
    void keys.list().then((live) => {
      const principals = new Set(live.map(({ agent }) => `key ${agent}`));
      listener(({ principal }) => principal?.startsWith("key ") === true && !principals.has(principal));
    });
  });
}
