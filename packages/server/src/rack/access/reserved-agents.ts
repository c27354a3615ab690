import { toAgentKey } from "@toolrack/core/policy";

/** Names that describe how a caller signed in. No key and no token may use one of them. */
const reserved: ReadonlySet<string> = new Set(["owner", "local", "anonymous", "server", "toolrack-server"]);

/** Compared as the policy compares agents. */
export function isReservedAgent(agent: string): boolean {
  return reserved.has(toAgentKey(agent));
}

/** For messages. */
export const reservedAgents: readonly string[] = [...reserved];
