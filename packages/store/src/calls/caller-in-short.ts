import { createHash } from "node:crypto";
import type { Caller } from "@toolrack/core";

/**
 * A caller as the log keeps it: a long list of inherited tools is told by its length and a hash, so that equal lists can be told without a copy of
 * them in every line. { inherited: [200 names] } → { inherited: ["200 tools, sha256 9f86d081884c7d65"] }, which is the name of no tool.
 */
export function callerInShort(caller: Caller): Caller {
  const { inherited } = caller;
  if (inherited === undefined || inherited.length <= maxInherited) return caller;
  const hash = createHash("sha256")
    .update(JSON.stringify([...inherited].sort()))
    .digest("hex");
  return { ...caller, inherited: [`${inherited.length} tools, sha256 ${hash.slice(0, 16)}`] };
}

/** Names that are kept as they are. */
const maxInherited = 20;
