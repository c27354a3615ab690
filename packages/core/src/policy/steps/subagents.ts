import { liftDenials } from "./_default-denials.ts";
import type { ToolPolicy } from "../policy.ts";

/** What an agent that another agent spawned may not do: run the house, and speak for its parent. */
export const subagentDenials: readonly string[] = Object.freeze([
  "gateway",
  "agents_list",
  "whatsapp_login",
  "session_status",
  "cron",
  "memory_search",
  "memory_get",
  "sessions_send",
]);

/** And what it may not do either where it cannot spawn agents of its own. */
export const leafSubagentDenials: readonly string[] = Object.freeze(["sessions_list", "sessions_history", "sessions_spawn"]);

export interface SubagentFacts {
  /** 0 or absent: not spawned by another agent. */
  readonly depth: number | undefined;
  /** From this depth on an agent is a leaf. @default 1 */
  readonly maxSpawnDepth?: number;
}

/** The policy of a spawned agent: the default denials that nothing lifted, then what is configured. Undefined for any other agent. */
export function resolveSubagentPolicy({ depth, maxSpawnDepth = 1 }: SubagentFacts, configured: ToolPolicy = {}): ToolPolicy | undefined {
  if (depth === undefined || depth <= 0) return undefined;
  // A depth that is no number is taken for the deepest.
  const isLeaf = !(depth < Math.max(1, Math.floor(maxSpawnDepth)));
  return liftDenials(isLeaf ? [...subagentDenials, ...leafSubagentDenials] : subagentDenials, configured);
}
