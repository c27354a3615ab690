import { normalizeToolName } from "../../tool/name.ts";
import type { ToolPolicy } from "../policy.ts";

/**
 * Denials that hold unless a configuration names the tool outright in `allow` or `alsoAllow`; a glob or a group lifts nothing.
 * They stand before the configured ones, which nothing lifts.
 */
export function liftDenials(denials: readonly string[], configured: ToolPolicy): ToolPolicy {
  const named = new Set([...(configured.allow ?? []), ...(configured.alsoAllow ?? [])].map(normalizeToolName));
  return { ...configured, deny: [...denials.filter((name) => !named.has(name)), ...(configured.deny ?? [])] };
}
