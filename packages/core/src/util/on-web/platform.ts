import type * as onNode from "../on-node/platform.ts";
import { sha256Hex as portableSha256Hex } from "./sha256.ts";

/**
 * The same as `on-node/platform.ts` for browsers and workers. Modules of Node are asked for, never imported: a bundle that was made for
 * browsers and runs in Node still finds them. Where there are none, using one throws.
 */
export const nodeFs: typeof onNode.nodeFs = /* @__PURE__ */ builtin("node:fs");
export const nodeOs: typeof onNode.nodeOs = /* @__PURE__ */ builtin("node:os");
export const nodePath: typeof onNode.nodePath = /* @__PURE__ */ builtin("node:path");
export const nodeUrl: typeof onNode.nodeUrl = /* @__PURE__ */ builtin("node:url");

function builtin<Module extends object>(name: string): Module {
  return find<Module>(name) ?? missing<Module>();
}

function find<Module extends object>(name: string): Module | undefined {
  return globalThis.process?.getBuiltinModule?.(name) as Module | undefined;
}

function missing<Module extends object>(): Module {
  return new Proxy({} as Module, {
    get() {
      throw new Error("this runtime has no file system, as Node, Bun and Deno have");
    },
  });
}

export function sha256Hex(data: string | Uint8Array): string {
  const crypto = find<typeof import("node:crypto")>("node:crypto");
  return crypto === undefined ? portableSha256Hex(data) : crypto.createHash("sha256").update(data).digest("hex");
}

export function randomBytes(count: number): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(count));
}

export const hasFiles: boolean = /* @__PURE__ */ (() => find("node:fs") !== undefined)();

export function abortListeners(signal: AbortSignal): number {
  return find<typeof import("node:events")>("node:events")?.getEventListeners(signal, "abort").length ?? 0;
}

export function allowManyListeners(signal: AbortSignal): void {
  find<typeof import("node:events")>("node:events")?.setMaxListeners(0, signal);
}
