import type { Caller } from "../../tool/context.ts";
import { profileStep } from "./_profile.ts";
import type { ReadAgent, ReadPolicy, ReadPolicyConfig, ReadProviderTools } from "./_read.ts";
import { showPath, sourceAt } from "./_fields.ts";
import { channelPolicies } from "../steps/channels.ts";
import type { ConfigPath, Locate } from "./shape.ts";
import type { ListName, PolicyLocation, StepId, ToolPolicyStep } from "../policy.ts";
import { providerKeys } from "../steps/provider-keys.ts";
import { resolveSandboxPolicy } from "../steps/sandbox.ts";
import { type StepOptions, toStep } from "../steps/steps.ts";
import { resolveSubagentPolicy } from "../steps/subagents.ts";
import { toAgentKey } from "../steps/unknown-agents.ts";

/** The steps that a configuration has for one caller, in order; each entry knows where it was written. */
export function stepsFor(config: ReadPolicyConfig, caller: Caller, locate: Locate | undefined): ToolPolicyStep[] {
  const agent = agentOf(config, caller);
  const keys = providerKeys(caller);
  const forProvider = (tools: ReadAgent["tools"]): ReadProviderTools | undefined => firstOf(tools?.byProvider, keys);
  const [everybody, own] = [config.tools, agent?.tools];
  const [provider, ownProvider] = [forProvider(everybody), forProvider(own)];
  const profile = profileStep("profile", [everybody, own], config, locate);
  const providerProfile = profileStep("providerProfile", [provider, ownProvider], config, locate);
  const scopeStep = (id: StepId, scope: ReadPolicy | undefined, spent: ReadonlySet<ReadPolicy>): ToolPolicyStep | undefined =>
    scope && stepAt(id, spent.has(scope) ? withoutAlsoAllow(scope) : scope, locate);
  return [
    profile.step,
    providerProfile.step,
    scopeStep("global", everybody, profile.spent),
    scopeStep("globalProvider", provider, providerProfile.spent),
    scopeStep("agent", own, profile.spent),
    scopeStep("agentProvider", ownProvider, providerProfile.spent),
    ...channelSteps(config, caller, locate),
    ...phaseSteps(config, caller, locate),
    sandboxStep(config, agent, caller, locate),
    subagentStep(config, caller, locate),
  ].filter((step) => step !== undefined);
}

export function agentOf(config: ReadPolicyConfig, { agent }: Caller): ReadAgent | undefined {
  return typeof agent === "string" ? config.agents?.get(toAgentKey(agent)) : undefined;
}

function firstOf<Value>(values: ReadonlyMap<string, Value> | undefined, keys: readonly string[]): Value | undefined {
  const key = keys.find((candidate) => values?.has(candidate));
  return key === undefined ? undefined : values!.get(key);
}

/** The profile step already has it; if the scope itself restricts nothing, adding it again would only repeat its warnings. */
function withoutAlsoAllow(scope: ReadPolicy): ReadPolicy {
  const { alsoAllow: _spent, ...policy } = scope.policy;
  return policy.allow?.length ? scope : { ...scope, policy };
}

function stepAt(
  id: StepId,
  { path, policy, isList }: ReadPolicy,
  locate: Locate | undefined,
  options?: StepOptions,
): ToolPolicyStep | undefined {
  const locationOf = (list: ListName, position?: number): PolicyLocation => placeIn(isList ? path : [...path, list], position, locate);
  return toStep(id, showPath(path), policy, { locationOf, ...options });
}

function placeIn(list: ConfigPath, position: number | undefined, locate: Locate | undefined): PolicyLocation {
  return { label: showPath(list), source: sourceAt(locate, position === undefined ? list : [...list, position]) };
}

function channelSteps(config: ReadPolicyConfig, caller: Caller, locate: Locate | undefined): (ToolPolicyStep | undefined)[] {
  const channel = typeof caller.channel === "string" ? config.channels?.get(caller.channel.trim().toLowerCase()) : undefined;
  return channel ? channelPolicies(channel, caller).map((policy) => stepAt("group", policy, locate)) : [];
}

function phaseSteps({ phases }: ReadPolicyConfig, { phase }: Caller, locate: Locate | undefined): (ToolPolicyStep | undefined)[] {
  if (phase === undefined || phases === undefined || phases.size === 0) return [];
  const name = String(phase).trim();
  const policies = phases.get(name) ?? phases.get("*");
  if (policies) return policies.map((policy) => stepAt("phase", policy, locate, { strict: true }));
  // A name that no tool can have: a phase that is not configured has no tools.
  const nothing: ReadPolicy = { path: ["phases", name], policy: { allow: ["phase:unlisted"] }, isList: true };
  return [stepAt("phase", nothing, locate, { analyse: false })];
}

function sandboxStep(
  { sandbox }: ReadPolicyConfig,
  agent: ReadAgent | undefined,
  caller: Caller,
  locate: Locate | undefined,
): ToolPolicyStep | undefined {
  if (caller.sandboxed !== true) return undefined;
  const [own, everybody] = [agent?.sandbox?.tools, sandbox?.tools];
  const policy = resolveSandboxPolicy(own?.policy, everybody?.policy);
  const locationOf = (list: ListName, position?: number): PolicyLocation => {
    const scope = [own, everybody].find((candidate) => candidate?.policy[list] !== undefined);
    if (scope) return placeIn([...scope.path, list], position, locate);
    const lift = list === "deny" ? "sandbox.tools.alsoAllow" : undefined;
    return { label: `sandbox.tools.${list}${list === "alsoAllow" ? "" : " (default)"}`, lift };
  };
  return toStep("sandbox", "sandbox.tools", policy, { analyse: false, locationOf });
}

function subagentStep({ subagents }: ReadPolicyConfig, caller: Caller, locate: Locate | undefined): ToolPolicyStep | undefined {
  const configured = subagents?.tools?.policy;
  const policy = resolveSubagentPolicy({ depth: caller.subagentDepth, maxSpawnDepth: subagents?.maxSpawnDepth }, configured);
  if (policy === undefined) return undefined;
  const defaults = policy.deny!.length - (configured?.deny?.length ?? 0);
  const locationOf = (list: ListName, position?: number): PolicyLocation => {
    if (list !== "deny" || position === undefined) return placeIn(["subagents", "tools", list], position, locate);
    if (position < defaults) return { label: "subagents.tools.deny (default)", lift: "subagents.tools.alsoAllow" };
    return placeIn(["subagents", "tools", "deny"], position - defaults, locate);
  };
  return toStep("subagent", "subagents.tools", policy, { analyse: false, locationOf });
}
