import type { Caller } from "@toolrack/core";

/**
 * The name of a caller in the store: { principal: "key anna" } → "anna"; { principal: "token https://login.example.com/ 42" } → that
 * whole text. No key can be made for a name with a space, so neither can pass for the other. A program that uses the registry without any
 * sign-in is known by its agent.
 */
export function storeAgentOf({ principal, agent = "unknown" }: Pick<Caller, "principal" | "agent">): string {
  if (principal === undefined) return agent;
  return /^(?:key|loopback) (\S+)$/.exec(principal)?.[1] ?? principal;
}

/** The agent's own name, if the store uses its principal: one agent is one author, however it signed in. */
export function signedInAs(caller: Pick<Caller, "principal" | "agent">): { readonly signedInAs?: string } {
  const { agent } = caller;
  return agent === undefined || agent === storeAgentOf(caller) ? {} : { signedInAs: agent };
}

/** The agent that a caller is, however it signed in: { principal: "key anna", agent: "reporter" } → "reporter". */
export function agentNameOf(caller: Pick<Caller, "principal" | "agent">): string {
  return caller.agent ?? storeAgentOf(caller);
}
