/**
 * What the core takes from the runtime beyond the standards of the web. `#platform` is this file in Node, Bun and Deno, and its namesake in
 * `on-web/` in browsers and workers: "imports" in package.json decides. Both export the same names.
 */
import { createRequire } from "node:module";

export { default as nodeFs } from "node:fs";
export { default as nodeOs } from "node:os";
export { default as nodePath } from "node:path";
export { default as nodeUrl } from "node:url";

let require: NodeJS.Require | undefined;

/** Loads a package, or a module of Node, at the moment it is first needed, so that importing the library stays cheap. */
export function loadLate<Module>(name: string): Module {
  return (require ??= createRequire(import.meta.url))(name) as Module;
}

/** Node's hashes: most imports of the library never hash anything. */
let crypto: typeof import("node:crypto") | undefined;

function nodeCrypto(): typeof import("node:crypto") {
  return (crypto ??= loadLate<typeof import("node:crypto")>("node:crypto"));
}

/** The SHA-256 of bytes, or of a text in UTF-8, in hexadecimal digits. */
export function sha256Hex(data: string | Uint8Array): string {
  const { hash, createHash } = nodeCrypto();
  // In one step, where Node has it: half the time for a short text.
  return typeof hash === "function" ? hash("sha256", data) : createHash("sha256").update(data).digest("hex");
}

export function randomBytes(count: number): Uint8Array {
  return nodeCrypto().randomBytes(count);
}

/** Whether there are files, and programs to run. */
export const hasFiles: boolean = true;

/** How many listen for an abort; 0 in runtimes that do not tell. */
export function abortListeners(signal: AbortSignal): number {
  return loadLate<typeof import("node:events")>("node:events").getEventListeners(signal, "abort").length;
}

/** Lifts the limit above which Node warns of a leak of listeners. Other runtimes have none. */
export function allowManyListeners(signal: AbortSignal): void {
  loadLate<typeof import("node:events")>("node:events").setMaxListeners(0, signal);
}
