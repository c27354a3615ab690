import type { AgentList } from "./host.ts";

/** An agent that sessions can belong to. */
export interface KnownAgent {
  /** What people call it. */
  readonly name?: string;
  /** The model of its sessions. */
  readonly model?: string;
  /** The agents whose sessions it may spawn, apart from itself; "*" for every configured one. @default none */
  readonly allowAgents?: readonly string[];
}

export type KnownAgents = Readonly<Record<string, KnownAgent>>;

/** Whether sessions of one agent may spawn those of another. */
export function maySpawn(requester: string, agentId: string, agents: KnownAgents): boolean {
  if (requester === agentId) return true;
  const allowed = agentOf(requester, agents)?.allowAgents ?? [];
  return agentOf(agentId, agents) !== undefined && (allowed.includes("*") || allowed.includes(agentId));
}

/** The answer of agents_list: the requester first, then by name. */
export function spawnableAgents(requester: string, agents: KnownAgents): AgentList {
  const others = Object.keys(agents).filter((id) => id !== requester && maySpawn(requester, id, agents));
  return {
    requester,
    allowAny: agentOf(requester, agents)?.allowAgents?.includes("*") === true,
    agents: [requester, ...others.sort()].map((id) => {
      const known = agentOf(id, agents);
      return { id, ...(known?.name !== undefined && { name: known.name }), configured: known !== undefined };
    }),
  };
}

export function agentOf(id: string, agents: KnownAgents): KnownAgent | undefined {
  return Object.hasOwn(agents, id) ? agents[id] : undefined;
}
