import type { Model } from "@toolrack/agent";
import { ToolError } from "@toolrack/core";
import type { Secrets } from "@toolrack/store";
import { type AgentConfig, runnableAgents } from "../../config/agents.ts";

/** Opens the model of an agent as it is configured at that time. */
export function openModelOf(
  agents: () => Readonly<Record<string, AgentConfig>> | undefined,
  secrets: Pick<Secrets, "get">,
): (agent: string) => Promise<Model> {
  return async (id) => {
    const agent = runnableAgents(agents()).find((one) => one.id === id);
    if (agent === undefined)
      throw new ToolError("CONFIG_INVALID", `No agent "${id}" runs here. Name one of "agents" that has instructions.`);
    return (await import("../agents/open-model.ts")).openModel(agent, secrets);
  };
}
