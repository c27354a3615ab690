import { liftDenials } from "./_default-denials.ts";
import type { ToolPolicy } from "../policy.ts";

/** What an agent in a sandbox may use unless something else is configured. */
export const sandboxDefaults: { readonly allow: readonly string[]; readonly deny: readonly string[] } = Object.freeze({
  allow: Object.freeze([
    "exec",
    "process",
    "read",
    "write",
    "edit",
    "apply_patch",
    "image",
    "sessions_list",
    "sessions_history",
    "sessions_send",
    "sessions_spawn",
    "subagents",
    "session_status",
  ]),
  deny: Object.freeze(["browser", "canvas", "nodes", "cron", "gateway"]),
});

/** Each list is the agent's, else the global one, else the default. The exact name of a tool overrides its default denial. */
export function resolveSandboxPolicy(agent: ToolPolicy = {}, global: ToolPolicy = {}): ToolPolicy {
  const configured: ToolPolicy = { ...global, ...agent };
  const deny = configured.deny ?? liftDenials(sandboxDefaults.deny, configured).deny!;
  return { ...configured, allow: configured.allow ?? sandboxDefaults.allow, deny };
}
