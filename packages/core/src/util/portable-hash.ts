import { canonicalJson } from "@toolrack/json-schema";
import { sha256Hex } from "./sha256.ts";

/** The hash that `contentHash` gives, on any platform: for what imports nothing of Node. */
export function portableHash(value: unknown): string {
  return `sha256:${digest(canonicalJson(value))}`;
}

/** By Node where there is one: faster. */
let createHash: typeof import("node:crypto").createHash | undefined;

function digest(text: string): string {
  createHash ??= globalThis.process?.getBuiltinModule?.("node:crypto").createHash;
  return createHash === undefined ? sha256Hex(text) : createHash("sha256").update(text).digest("hex");
}
