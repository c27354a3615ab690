import { canonicalJson } from "@toolrack/json-schema";
import { sha256Hex } from "./sha256.ts";

/** "sha256:" and the digest of the canonical JSON: equal values have equal hashes whatever the order of their keys. */
export function contentHash(value: unknown): string {
  return `sha256:${digest(canonicalJson(value))}`;
}

/** By Node, where there is one, without an import of it; loaded when first needed, since most imports of the library never hash anything. */
let createHash: typeof import("node:crypto").createHash | undefined;

function digest(text: string): string {
  createHash ??= globalThis.process?.getBuiltinModule?.("node:crypto").createHash;
  return createHash === undefined ? sha256Hex(text) : createHash("sha256").update(text).digest("hex");
}
