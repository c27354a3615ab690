import { toAgentKey } from "@toolrack/core/policy";

/**
 * The policy treats "ANNA" as "anna", but limits and stored data belong to one spelling: only the configured one signs in. Undefined if this is
 * the configured spelling, or if no configured name has another one.
 */
export function otherSpellingOf(agent: string, names: readonly string[]): string | undefined {
  return names.includes(agent) ? undefined : names.find((name) => toAgentKey(name) === toAgentKey(agent));
}

/** Why this spelling is refused. */
export function spellingFault(agent: string, names: readonly string[]): string | undefined {
  const configured = otherSpellingOf(agent, names);
  return configured && `The configuration does not list "${agent.slice(0, 128)}" in this spelling. Did you mean "${configured}"?`;
}
