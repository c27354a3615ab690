import type { Caller, Registry } from "@toolrack/core";
import { inheritTools } from "@toolrack/core/policy";
import type { RunnableAgent } from "../../config/agents.ts";
import type { Starter } from "./host-state.ts";
import { callerOf } from "./starter.ts";

/**
 * Whoever gives an agent its task with the tools that the agent may use for it: those that both of them have. What restricts the caller itself is
 * part of that; an agent with rights of its own leaves it behind.
 * @param caller with all that is known of it, now
 */
export function inheritRights(agent: RunnableAgent, starter: Starter, caller: Caller, registry: Pick<Registry, "view">): Starter {
  if (starter.spawned !== undefined) return starter;
  const { inherited: _, ...facts } = starter.caller;
  const free: Starter = { ...starter, caller: facts };
  if (agent.ownRights === true) return free;
  const ofCaller = new Set(registry.view(caller).tools.map(({ name }) => name));
  const ofAgent = registry.view(callerOf(agent, free)).tools;
  const shared = ofAgent.filter(({ name }) => ofCaller.has(name));
  if (shared.length === ofAgent.length && starter.caller.inherited === undefined) return starter;
  return { ...starter, caller: { ...facts, inherited: inheritTools(shared).inherited } };
}
