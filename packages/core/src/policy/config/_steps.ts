import type { AppliedParts } from "./_parts.ts";
import { profileStep, type ProfileStep } from "./_profile.ts";
import type { ReadPolicy, ReadPolicyConfig } from "./_read.ts";
import { showPath, sourceAt } from "./_fields.ts";
import { settleStep } from "../decide/read-steps.ts";
import type { ConfigPath, Locate } from "./shape.ts";
import type { ListName, PolicyLocation, StepId, ToolPolicyStep } from "../policy.ts";
import { resolveSandboxPolicy } from "../steps/sandbox.ts";
import { type StepOptions, toStep } from "../steps/steps.ts";
import { resolveSubagentPolicy, type SpawnLevel } from "../steps/subagents.ts";

/**
 * Gives the steps for the parts of a configuration that apply to a caller, in order; each entry knows where it was written. The step of a
 * part is made once, so that it is read once, however many callers have it.
 */
export function createStepMaker(config: ReadPolicyConfig, locate: Locate | undefined): (parts: AppliedParts) => ToolPolicyStep[] {
  const once = createMemory();
  const everybody = config.tools;
  const nobody = {};

  const stepOnce = (part: object, key: string, make: () => ToolPolicyStep | undefined): ToolPolicyStep | undefined =>
    once(part, key, () => {
      const step = make();
      return step && settleStep(step);
    });
  const scopeStep = (id: StepId, scope: ReadPolicy | undefined, spent: ReadonlySet<ReadPolicy>): ToolPolicyStep | undefined => {
    if (scope === undefined) return undefined;
    const isSpent = spent.has(scope);
    return stepOnce(scope, `${id} ${isSpent}`, () => stepAt(id, isSpent ? withoutAlsoAllow(scope) : scope, locate));
  };
  const profileOf = (id: "profile" | "providerProfile", wide: AppliedParts["provider"], own: AppliedParts["provider"]): ProfileStep =>
    once(wide ?? nobody, own ?? nobody, () => {
      const { step, spent } = profileStep(id, [wide, own], config, locate);
      return { spent, ...(step && { step: settleStep(step) }) };
    });

  return ({ own, provider, ownProvider, channel, phase, isSandboxed, ownSandbox, level }) => {
    const profile = profileOf("profile", everybody, own);
    const providerProfile = profileOf("providerProfile", provider, ownProvider);
    return [
      profile.step,
      providerProfile.step,
      scopeStep("global", everybody, profile.spent),
      scopeStep("globalProvider", provider, providerProfile.spent),
      scopeStep("agent", own, profile.spent),
      scopeStep("agentProvider", ownProvider, providerProfile.spent),
      ...channel.map((policy) => stepOnce(policy, "group", () => stepAt("group", policy, locate))),
      ...phase.map((policy) => stepOnce(policy, "phase", () => phaseStep(policy, locate))),
      isSandboxed ? stepOnce(ownSandbox ?? nobody, "sandbox", () => sandboxStep(config, ownSandbox, locate)) : undefined,
      stepOnce(nobody, `subagent ${level}`, () => subagentStep(config, level, locate)),
    ].filter((step) => step !== undefined);
  };
}

/** Makes something of an object and a second key once. */
function createMemory(): <Made>(part: object, key: object | string, make: () => Made) => Made {
  const byPart = new WeakMap<object, { readonly objects: WeakMap<object, unknown>; readonly names: Map<string, unknown> }>();
  return <Made>(part: object, key: object | string, make: () => Made): Made => {
    let made = byPart.get(part);
    if (made === undefined) byPart.set(part, (made = { objects: new WeakMap(), names: new Map() }));
    const known = (typeof key === "string" ? made.names : made.objects) as Pick<Map<unknown, Made>, "has" | "get" | "set">;
    if (known.has(key)) return known.get(key)!;
    const value = make();
    known.set(key, value);
    return value;
  };
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

function phaseStep(policy: ReadPolicy, locate: Locate | undefined): ToolPolicyStep | undefined {
  return stepAt("phase", policy, locate, policy.isUnlisted ? { analyse: false } : { strict: true });
}

function sandboxStep({ sandbox }: ReadPolicyConfig, own: ReadPolicy | undefined, locate: Locate | undefined): ToolPolicyStep | undefined {
  const everybody = sandbox?.tools;
  const policy = resolveSandboxPolicy(own?.policy, everybody?.policy);
  const locationOf = (list: ListName, position?: number): PolicyLocation => {
    const scopeOf = (wanted: ListName): ReadPolicy | undefined =>
      [own, everybody].find((candidate) => candidate?.policy[wanted] !== undefined);
    const scope = scopeOf(list);
    if (scope) return placeIn([...scope.path, list], position, locate);
    if (list === "alsoAllow" || list === "ask") return { label: `sandbox.tools.${list}` };
    const lifting = scopeOf("allow") ? "allow" : "alsoAllow";
    const lift = showPath([...(scopeOf(lifting)?.path ?? ["sandbox", "tools"]), lifting]);
    return { label: `sandbox.tools.${list} (default)`, lift };
  };
  return toStep("sandbox", "sandbox.tools", policy, { analyse: false, locationOf });
}

function subagentStep({ subagents }: ReadPolicyConfig, level: SpawnLevel, locate: Locate | undefined): ToolPolicyStep | undefined {
  const configured = subagents?.tools?.policy;
  const policy = resolveSubagentPolicy(level, configured);
  if (policy === undefined) return undefined;
  const defaults = policy.deny!.length - (configured?.deny?.length ?? 0);
  const locationOf = (list: ListName, position?: number): PolicyLocation => {
    if (list !== "deny" || position === undefined) return placeIn(["subagents", "tools", list], position, locate);
    if (position < defaults)
      return {
        label: "subagents.tools.deny (default)",
        lift: `subagents.tools.${configured?.allow === undefined ? "alsoAllow" : "allow"}`,
      };
    return placeIn(["subagents", "tools", "deny"], position - defaults, locate);
  };
  return toStep("subagent", "subagents.tools", policy, { analyse: false, locationOf });
}
