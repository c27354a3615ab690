import type { Caller } from "@toolrack/core";
import { agentFacts, type RunnableAgent } from "../../config/agents.ts";
import type { Starter } from "./host-state.ts";

/** The same identity, whatever else it said about itself. */
export function isSame(starter: Caller | undefined, caller: Caller): boolean {
  return (
    starter !== undefined &&
    starter.principal === caller.principal &&
    starter.tenant === caller.tenant &&
    (starter.principal !== undefined || starter.agent === caller.agent)
  );
}

/** What is kept of whoever began a session. */
export function plainCaller({ agent, principal, acting, tenant, roles, owner, inherited, sandboxed }: Caller): Caller {
  return {
    ...(agent !== undefined && { agent }),
    ...(principal !== undefined && { principal }),
    ...(acting !== undefined && { acting }),
    ...(tenant !== undefined && { tenant }),
    ...(roles !== undefined && { roles }),
    ...(owner !== undefined && { owner }),
    ...(inherited !== undefined && { inherited }),
    ...(sandboxed !== undefined && { sandboxed }),
  };
}

/**
 * Who an agent is in its calls: it has its own part of the policy, and no right of whoever began it but to be the owner, where a person did. What
 * restricts whoever began it stays.
 */
export function callerOf(agent: RunnableAgent, { caller, isPerson }: Pick<Starter, "caller" | "isPerson">): Caller {
  const { principal, acting, tenant, owner, inherited, sandboxed } = caller;
  return {
    agent: agent.id,
    ...agentFacts(agent),
    ...(principal !== undefined && { principal }),
    ...(acting !== undefined && { acting }),
    ...(tenant !== undefined && { tenant }),
    ...(inherited !== undefined && { inherited: Object.freeze(inherited) }),
    ...(sandboxed === true && { sandboxed }),
    owner: isPerson && owner === true,
  };
}
