import { describeUnknownAgent } from "@toolrack/core/policy";
import { agentNamePattern, listedTest } from "../keys-and-tokens/api-keys.ts";
import type { Settings } from "../rack.ts";
import { spellingFault } from "./agent-spelling.ts";
import { isReservedAgent, reservedAgents } from "./reserved-agents.ts";

/** Why no program may act as this agent; undefined if it may. */
export function agentFault(agent: string, settings: Pick<Settings, "agentNames" | "policy">): string | undefined {
  const names = settings.agentNames();
  if (!agentNamePattern.test(agent))
    return `The name of an agent is 1 to 128 of the characters A-Z a-z 0-9 . _ : @ - and not "${agent.slice(0, 128)}".`;
  if (isReservedAgent(agent)) {
    const choice =
      names.length === 0 ? "Add an agent under policy.agents of the configuration." : `Choose one of ${names.slice(0, 10).join(", ")}.`;
    return `No client can be "${agent}": ${reservedAgents.join(", ")} are names that the server gives itself. ${choice}`;
  }
  const misspelt = spellingFault(agent, names);
  if (misspelt !== undefined) return misspelt;
  if (listedTest(settings)(agent)) return undefined;
  const { reason, remedy } = describeUnknownAgent(agent, names);
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}. ${remedy}.`;
}
