import { createHash } from "node:crypto";
import type { McpSourceOptions } from "../upstream.ts";

/** Of any JSON value, whatever the order of its keys. */
export function fingerprint(value: unknown): string {
  return createHash("sha256").update(canonical(value)).digest("hex");
}

/** Of what is started or spoken to: approvals are bound to it, so that another program behind an old name has none. */
export function upstreamIdentity(options: McpSourceOptions): string {
  if ("url" in options) return fingerprint({ url: new URL(options.url).href });
  const { command, args = [], env = {}, inheritEnv = [], cwd } = options;
  return fingerprint({ command, args, env, inheritEnv, cwd: cwd ?? null });
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(",")}}`;
}
