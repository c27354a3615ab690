import { createHash } from "node:crypto";
import { canonicalJson } from "@toolrack/core/internal";
import type { McpSourceOptions } from "../upstream.ts";

/** Of any JSON value, whatever the order of its keys. */
export function fingerprint(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

/** Of what is started or spoken to: approvals are bound to it, so that another program behind an old name has none. */
export function upstreamIdentity(options: McpSourceOptions): string {
  if ("url" in options) return fingerprint({ url: new URL(options.url).href });
  const { command, args = [], env = {}, inheritEnv = [], cwd } = options;
  return fingerprint({ command, args, env, inheritEnv, cwd: cwd ?? null });
}
