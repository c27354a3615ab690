import type { Caller } from "@toolrack/core";
import { type AgentConfig, agentFacts } from "../../config/agents.ts";
import type { ApiKeys, Setting, Settings } from "../rack.ts";

/** Adds the configured provider and model of an agent; facts of the caller take precedence. */
export function withAgentFacts({ settings }: { readonly settings: Pick<Settings, "get"> }, caller: Caller): Caller {
  const setting = caller.agent === undefined ? undefined : settings.get(`agents.${caller.agent}`);
  if (setting === undefined) return caller;
  const kept = known.get(caller);
  if (kept?.setting === setting) return kept.caller;
  const whole = Object.freeze({ ...agentFacts(setting.value as AgentConfig), ...caller });
  if (Object.isFrozen(caller)) known.set(caller, { setting, caller: whole });
  return whole;
}

/** The same caller object for the same identity and setting, so that cached decisions are found. */
const known = new WeakMap<Caller, { readonly setting: Setting; readonly caller: Caller }>();

/** All known agents: configured ones, those in the policy, those with a key, and an unknown agent. */
export async function knownCallers(rack: {
  readonly settings: Pick<Settings, "agents" | "get" | "policy">;
  readonly keys: Pick<ApiKeys, "list">;
}): Promise<readonly Caller[]> {
  const { settings, keys } = rack;
  const named = Object.keys(settings.policy.agents ?? {});
  const agents = new Set([...settings.agents().map(({ id }) => id), ...named, ...(await keys.list()).map(({ agent }) => agent)]);
  return [...[...agents].map((agent) => withAgentFacts(rack, { agent })), {}];
}
