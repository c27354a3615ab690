import type { Caller } from "../tool/context.ts";
import { nearestNames } from "../util/nearest.ts";
import type { PolicyWarning, ToolPolicyStep } from "./policy.ts";

/** What agents get that the configuration does not list: nothing, or what the rules for everybody leave. */
export type UnknownAgents = "deny" | "allow";

export const unknownAgentsValues: readonly UnknownAgents[] = Object.freeze(["deny", "allow"] as const);

/** Agents are compared without case and without blanks around them. */
export function toAgentKey(agent: string): string {
  return agent.trim().toLowerCase();
}

/** Hides every tool from a caller whose agent is not known. The owner is known without a name. */
export function unknownAgentStep(caller: Caller, known: ReadonlySet<string>, source: string | undefined): ToolPolicyStep | undefined {
  if (caller.owner === true) return undefined;
  const agent = typeof caller.agent === "string" ? caller.agent : undefined;
  if (agent !== undefined && known.has(toAgentKey(agent))) return undefined;
  return {
    id: "unknownAgents",
    label: "unknownAgents",
    deny: everything,
    analyse: false,
    placeOf: () => ({ label: "unknownAgents", ...(source !== undefined && { source }) }),
    ...describeUnknownAgent(agent, known),
  };
}

/** For whoever looks at the policy of an agent by its name: that name is not listed. A caller without a name is no mistake. */
export function unknownAgentWarning({ label, reason, remedy }: ToolPolicyStep, { agent }: Caller): PolicyWarning | undefined {
  if (agent === undefined || reason === undefined) return undefined;
  const message = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}, so no tool is open to it. ${remedy}.`;
  return { step: "unknownAgents", kind: "unknown-agent", entries: [agent], label, message };
}

const everything: readonly string[] = Object.freeze(["*"]);

/** Why an agent is refused, and the line that would change it. */
export function describeUnknownAgent(
  agent: string | undefined,
  known: Iterable<string>,
): { readonly reason: string; readonly remedy: string } {
  if (agent === undefined || agent.trim() === "")
    return {
      reason: "the caller names no agent, and only agents that the configuration lists may use tools",
      remedy: "Call as an agent that the configuration lists under agents",
    };
  const shown = JSON.stringify(agent.slice(0, 128));
  const nearest = nearestNames(agent, known, 1)[0];
  const hint = nearest === undefined ? "" : `Did you mean ${JSON.stringify(nearest)}? `;
  const key = /^[A-Za-z_][\w-]*$/.test(agent) && agent.length <= 128 ? agent : shown;
  return {
    reason: `the configuration does not list the agent ${shown}`,
    remedy: `${hint}To let it in, add this line under agents in the configuration: ${key}: {}`,
  };
}
