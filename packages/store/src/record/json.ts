import { createHash } from "node:crypto";
import { canonicalJson } from "@toolrack/core/internal";

export { isObject, jsonEquals } from "@toolrack/core/internal";

/** "sha256:" and the digest of the canonical JSON. */
export function checksumOf(value: unknown): string {
  return `sha256:${createHash("sha256").update(canonicalJson(value)).digest("hex")}`;
}
