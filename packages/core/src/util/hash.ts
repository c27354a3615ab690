import { createHash } from "node:crypto";
import { canonicalJson } from "./json.ts";

/** "sha256:" and the digest of the canonical JSON: equal values have equal hashes whatever the order of their keys. */
export function contentHash(value: unknown): string {
  return `sha256:${createHash("sha256").update(canonicalJson(value)).digest("hex")}`;
}
