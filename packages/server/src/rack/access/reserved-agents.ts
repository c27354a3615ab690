import { toAgentKey } from "@toolrack/core/policy";

/** Names that say how somebody signed in, or did not. No key and no token may be bound to one of them. */
const reserved: ReadonlySet<string> = new Set(["owner", "local", "anonymous", "server"]);

/** Compared as the policy compares agents. */
export function isReservedAgent(agent: string): boolean {
  return reserved.has(toAgentKey(agent));
}

/** For messages. */
export const reservedAgents: readonly string[] = [...reserved];
