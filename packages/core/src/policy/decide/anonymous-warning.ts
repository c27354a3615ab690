import type { Caller } from "../../tool/context.ts";
import type { PolicyWarning } from "../policy.ts";
import { anonymousAgent, toAgentKey } from "../steps/unknown-agents.ts";
import type { EvaluatedStep } from "./evaluate-step.ts";

/** Callers who have not signed in may use every tool that is not denied: that should be an explicit list. */
export function anonymousWarning(steps: readonly EvaluatedStep[], { agent, owner }: Caller): PolicyWarning | undefined {
  if (owner === true || agent === undefined || toAgentKey(agent) !== anonymousAgent) return undefined;
  if (steps.some(({ step, allow }) => allow !== undefined || step.id === "unknownAgents")) return undefined;
  const label = `agents.${anonymousAgent}.tools.allow`;
  const message = `The agent "${anonymousAgent}" has no allow list, so callers who have not signed in may use every tool that is not denied. Name the tools that they may use in policy.${label}.`;
  return { step: "agent", kind: "anonymous-unlimited", entries: [agent], label, message };
}
