import { liftDenials } from "./_default-denials.ts";
import type { ToolPolicy } from "../policy.ts";

/** What an agent that another agent spawned may not use: administration, and messages on behalf of its parent. */
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

/** Also denied to an agent that cannot spawn agents itself. */
export const leafSubagentDenials: readonly string[] = Object.freeze(["sessions_list", "sessions_history", "sessions_spawn"]);

export interface SubagentFacts {
  /** 0 or absent: not spawned by another agent. */
  readonly depth: number | undefined;
  /** From this depth on an agent cannot spawn others. @default 1 */
  readonly maxSpawnDepth?: number;
}

/** Whether an agent was spawned by another, and whether it can spawn agents itself. */
export type SpawnLevel = "root" | "inner" | "leaf";

export function spawnLevelOf({ depth, maxSpawnDepth = 1 }: SubagentFacts): SpawnLevel {
  if (depth === undefined || depth <= 0) return "root";
  // A depth that is not a number counts as the deepest.
  return depth < Math.max(1, Math.floor(maxSpawnDepth)) ? "inner" : "leaf";
}

/** The policy of a spawned agent: the default denials that are not overridden, then the configured lists. Undefined for any other agent. */
export function resolveSubagentPolicy(level: SpawnLevel, configured: ToolPolicy = {}): ToolPolicy | undefined {
  if (level === "root") return undefined;
  return liftDenials(level === "leaf" ? [...subagentDenials, ...leafSubagentDenials] : subagentDenials, configured);
}
