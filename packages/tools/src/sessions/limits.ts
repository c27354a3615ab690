/** What one session may have running, and how deep a tree of sessions may be. */
export interface SpawnLimits {
  /** From this depth on a session cannot spawn: 1 lets sessions spawn that were not spawned themselves. @default 1 */
  readonly maxSpawnDepth?: number;
  /** Running children of one session. @default 5 */
  readonly maxChildren?: number;
  /** Running children of all sessions together. @default 50 */
  readonly maxRunning?: number;
}

export interface SpawnFacts {
  /** Of the session that wants to spawn; 0 if it was not spawned itself. */
  readonly depth: number;
  /** Its running children. */
  readonly children: number;
  /** The running children of all sessions. */
  readonly running: number;
  readonly agentId: string;
  readonly isAllowedAgent: boolean;
}

/** Why a session may not spawn, as a sentence; undefined if it may. Every host asks here. */
export function spawnRefusal(facts: SpawnFacts, { maxSpawnDepth = 1, maxChildren = 5, maxRunning = 50 }: SpawnLimits): string | undefined {
  if (facts.depth >= maxSpawnDepth)
    return `This session is at depth ${facts.depth}, and sessions from depth ${maxSpawnDepth} on cannot spawn others. Do the task yourself.`;
  if (!facts.isAllowedAgent)
    return `This agent may not spawn sessions of the agent "${facts.agentId}". agents_list names those that it may.`;
  if (facts.children >= maxChildren)
    return `This session has ${facts.children} running children, and ${maxChildren} is the most. Wait for one to end, or end one with subagents.`;
  if (facts.running >= maxRunning)
    return `${facts.running} spawned sessions are running, and ${maxRunning} is the most for all sessions together. Try again later.`;
  return undefined;
}

/** A child is steered at most once in this time. */
export const steerEveryMs = 2_000;
