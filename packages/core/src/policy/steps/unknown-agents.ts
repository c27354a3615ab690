import { nearestNames } from "@toolrack/json-schema/internal";
import type { Caller } from "../../tool/context.ts";
import { registeredNameOf } from "../../tool/registered.ts";
import type { PolicyTool, PolicyWarning, ToolPolicyStep } from "../policy.ts";

/** What agents may use that the configuration does not list: nothing, or what the rules for everybody permit. */
export type UnknownAgents = "deny" | "allow";

export const unknownAgentsValues: readonly UnknownAgents[] = Object.freeze(["deny", "allow"] as const);

/** Agents are compared without case and surrounding spaces. */
export function toAgentKey(agent: string): string {
  return agent.trim().toLowerCase();
}

/** Whether a caller's agent is not listed. The owner is always known. */
export function isUnknownAgent({ agent, owner }: Caller, known: ReadonlySet<string>): boolean {
  return owner !== true && !(typeof agent === "string" && known.has(toAgentKey(agent)));
}

/** Hides every tool: for callers whose agent is not listed. One step for all of them, which names the agent of whoever asks. */
export function unknownAgentStep(known: ReadonlySet<string>, source: string | undefined): ToolPolicyStep {
  const nameOf = ({ agent }: Caller): string | undefined => (typeof agent === "string" ? agent : undefined);
  return {
    id: "unknownAgents",
    label: "unknownAgents",
    deny: everything,
    analyse: false,
    locationOf: () => ({ label: "unknownAgents", ...(source !== undefined && { source }) }),
    reason: (caller) => reasonFor(nameOf(caller)),
    remedy: (tool, caller) => describeUnknownAgent(nameOf(caller), known, tool).remedy,
  };
}

/** For an operator who looks at the policy of an agent that is not listed. A caller without an agent name is not a mistake. */
export function unknownAgentWarning({ label, reason, remedy }: ToolPolicyStep, caller: Caller): PolicyWarning | undefined {
  if (caller.agent === undefined || typeof reason !== "function") return undefined;
  const why = reason(caller);
  const message = `${why.charAt(0).toUpperCase()}${why.slice(1)}, so it may use no tools.${remedy === undefined ? "" : ` ${remedy(undefined, caller)}.`}`;
  return { step: "unknownAgents", kind: "unknown-agent", entries: [caller.agent], label, message };
}

const everything: readonly string[] = Object.freeze(["*"]);

/** The agent of callers who have not signed in to a server. */
export const anonymousAgent = "anonymous";

/** Why an agent is refused, and the line of YAML that allows exactly the requested tool. */
export function describeUnknownAgent(
  agent: string | undefined,
  known: Iterable<string>,
  tool?: PolicyTool,
): { readonly reason: string; readonly remedy: string } {
  const reason = reasonFor(agent);
  if (agent === undefined || agent.trim() === "")
    return { reason, remedy: "Call as an agent that the configuration lists under policy.agents" };
  const shown = show(agent);
  const key = /^[A-Za-z_][\w-]*$/.test(agent) && agent.length <= 128 ? agent : shown;
  const line = `add this line under policy.agents in the configuration: \`${key}: { tools: { ${allowOnly(tool)} } }\``;
  const what = tool === undefined ? "some tools" : `\`${tool.name}\``;
  if (toAgentKey(agent) === anonymousAgent)
    return {
      reason,
      remedy: `Sign in with an API key, created with: toolrack keys create <agent>. To let everyone who can reach the server use ${what}, ${line}`,
    };
  const nearest = nearestNames(agent, known, 1)[0];
  const hint = nearest === undefined ? "" : `Did you mean ${JSON.stringify(nearest)}? `;
  return { reason, remedy: `${hint}To let it use ${what}, ${line}` };
}

/** Without a search for the nearest name: it is made for every refused call. */
function reasonFor(agent: string | undefined): string {
  if (agent === undefined || agent.trim() === "")
    return "the caller names no agent, and only agents that the configuration lists may use tools";
  if (toAgentKey(agent) === anonymousAgent)
    return "the caller has not signed in, and the configuration lists no tools for callers without a key";
  return `the configuration does not list the agent ${show(agent)}`;
}

function show(agent: string): string {
  return JSON.stringify(agent.slice(0, 128));
}

/** A list that names only plugin tools is ignored, so a plugin tool is added to the smallest profile. */
function allowOnly(tool: PolicyTool | undefined): string {
  if (tool === undefined) return "allow: [<tools>]";
  const name = JSON.stringify(registeredNameOf(tool));
  return tool.metadata?.pluginId === undefined ? `allow: [${name}]` : `profile: minimal, alsoAllow: [${name}]`;
}
