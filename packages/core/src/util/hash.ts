import { canonicalJson } from "@toolrack/json-schema";
import { loadPackage } from "./load.ts";

/** Node's hashes, loaded when first needed: most imports of the library never hash anything. */
let crypto: typeof import("node:crypto") | undefined;

export function nodeCrypto(): typeof import("node:crypto") {
  return (crypto ??= loadPackage<typeof import("node:crypto")>("node:crypto"));
}

/** "sha256:" and the digest of the canonical JSON: equal values have equal hashes whatever the order of their keys. */
export function contentHash(value: unknown): string {
  return `sha256:${nodeCrypto().createHash("sha256").update(canonicalJson(value)).digest("hex")}`;
}
