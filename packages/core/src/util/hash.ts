import { canonicalJson } from "@toolrack/json-schema";
import { sha256Hex } from "#platform";

/** "sha256:" and the digest of the canonical JSON: equal values have equal hashes whatever the order of their keys. */
export function contentHash(value: unknown): string {
  return `sha256:${sha256Hex(canonicalJson(value))}`;
}
