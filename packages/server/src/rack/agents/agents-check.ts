import type { CapabilityCheck } from "@toolrack/core/node";
import { runnableAgents } from "../../config/agents.ts";
import type { RackConfig } from "../../config/config.ts";

/** What tools need that work with other sessions: this server runs an agent. */
export const agentsCapability = "host:agents";

/** @param agents those of the settings in force */
export function agentsCheck(agents: () => RackConfig["agents"]): CapabilityCheck {
  return {
    has: () => runnableAgents(agents()).length > 0,
    remedy: "No host is configured: no agent runs here. Give one of the configuration instructions and a model (agents.<id>).",
  };
}
