import { loadPackage } from "./load.ts";

let crypto: typeof import("node:crypto") | undefined;

/** Node's hashes and random bytes, loaded when first needed. */
export function nodeCrypto(): typeof import("node:crypto") {
  return (crypto ??= loadPackage<typeof import("node:crypto")>("node:crypto"));
}
