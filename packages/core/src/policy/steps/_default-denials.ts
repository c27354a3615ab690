import { normalizeToolName } from "../../tool/name.ts";
import type { ToolPolicy } from "../policy.ts";

/**
 * Denials that apply unless a configuration names the tool exactly in `allow` or `alsoAllow`; a glob or a group does not count.
 * They come before the configured ones, which nothing overrides.
 */
export function liftDenials(denials: readonly string[], configured: ToolPolicy): ToolPolicy {
  const named = new Set([...(configured.allow ?? []), ...(configured.alsoAllow ?? [])].map(normalizeToolName));
  return { ...configured, deny: [...denials.filter((name) => !named.has(name)), ...(configured.deny ?? [])] };
}
