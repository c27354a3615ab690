import { isObject, nearestNames } from "@toolrack/json-schema/internal";
import { ToolError } from "../../errors.ts";
import { assertEntries, describeValue } from "../entries/entries.ts";
import type { ListName, StepId, ToolPolicy, ToolPolicyStep } from "../policy.ts";
import { resolveCoreToolProfilePolicy } from "../catalog/profiles.ts";

export interface DefaultStepsInput {
  /** The name of a profile. An unknown name gives no profile step; the configuration refuses it. */
  readonly profile?: string;
  /** Used instead of the policy of `profile`: a custom profile. */
  readonly profilePolicy?: ToolPolicy;
  readonly profileAlsoAllow?: readonly string[];
  readonly providerProfile?: string;
  readonly providerProfilePolicy?: ToolPolicy;
  readonly providerProfileAlsoAllow?: readonly string[];
  readonly globalPolicy?: ToolPolicy;
  readonly globalProviderPolicy?: ToolPolicy;
  readonly agentPolicy?: ToolPolicy;
  readonly agentProviderPolicy?: ToolPolicy;
  readonly groupPolicy?: ToolPolicy;
  readonly sandboxPolicy?: ToolPolicy;
  readonly subagentPolicy?: ToolPolicy;
  /** Used only for labels. */
  readonly agentId?: string;
}

/** The steps in order, each labelled with its path in a configuration. There is no step without a policy. */
export function buildDefaultToolPolicyPipelineSteps(input: DefaultStepsInput): ToolPolicyStep[] {
  const agent = agentLabel(input.agentId);
  return [
    toProfileStep("profile", "tools.profile", input.profile, input.profilePolicy, input.profileAlsoAllow),
    toProfileStep(
      "providerProfile",
      "tools.byProvider.profile",
      input.providerProfile,
      input.providerProfilePolicy,
      input.providerProfileAlsoAllow,
    ),
    toStep("global", "tools", input.globalPolicy),
    toStep("globalProvider", "tools.byProvider", input.globalProviderPolicy),
    toStep("agent", agent, input.agentPolicy),
    toStep("agentProvider", `${agent}.byProvider`, input.agentProviderPolicy),
    toStep("group", "group.tools", input.groupPolicy),
    toStep("sandbox", "sandbox.tools", input.sandboxPolicy, { analyse: false }),
    toStep("subagent", "subagents.tools", input.subagentPolicy, { analyse: false }),
  ].filter((step) => step !== undefined);
}

export type StepOptions = Pick<ToolPolicyStep, "analyse" | "strict" | "profile" | "locationOf">;

/** A policy with its label; undefined if it is empty. */
export function toStep(id: StepId, label: string, policy: ToolPolicy | undefined, options?: StepOptions): ToolPolicyStep | undefined {
  if (policy === undefined) return undefined;
  assertToolPolicy(policy, label);
  const { allow, alsoAllow, deny, ask } = policy;
  if (!allow && !alsoAllow && !deny && !ask) return undefined;
  return { id, label, ...(allow && { allow }), ...(alsoAllow && { alsoAllow }), ...(deny && { deny }), ...(ask && { ask }), ...options };
}

/** Own keys only, each of them known, each a list of texts. */
export function assertToolPolicy(policy: unknown, location: string): asserts policy is ToolPolicy {
  if (!isObject(policy))
    throw new ToolError(
      "POLICY_INVALID",
      `${location} must be an object with allow, alsoAllow, deny or ask, but it is ${describeValue(policy)}.`,
    );
  for (const key of Object.keys(policy)) {
    if (!(listNames as readonly string[]).includes(key)) {
      const nearest = nearestNames(key, listNames, 1)[0];
      const hint = nearest === undefined ? `It may have ${listNames.join(", ")}.` : `Did you mean "${nearest}"?`;
      throw new ToolError("POLICY_INVALID", `${location} has no setting ${JSON.stringify(key)}. ${hint}`);
    }
    if (policy[key] !== undefined) assertEntries(policy[key], `${location}.${key}`);
  }
}

export const listNames: readonly ListName[] = Object.freeze(["allow", "alsoAllow", "deny", "ask"] as const);

function toProfileStep(
  id: "profile" | "providerProfile",
  label: string,
  profile: string | undefined,
  ready: ToolPolicy | undefined,
  alsoAllow: readonly string[] | undefined,
): ToolPolicyStep | undefined {
  if (profile !== undefined && typeof profile !== "string") {
    throw new ToolError("POLICY_INVALID", `${label} must be the name of a profile, but it is ${describeValue(profile)}.`);
  }
  if (alsoAllow !== undefined) assertEntries(alsoAllow, `${label}.alsoAllow`);
  const policy = ready ?? resolveCoreToolProfilePolicy(profile);
  const shown = profile ? `${label} (${profile})` : label;
  const step = toStep(id, shown, policy, {
    ...(profile && { profile }),
    locationOf: (list) => ({ label: list === "alsoAllow" ? label.replace(/profile$/, "alsoAllow") : shown }),
  });
  // A profile without a list restricts nothing, so there is nothing to add to.
  if (step?.allow === undefined || alsoAllow === undefined) return step;
  return { ...step, alsoAllow: [...(step.alsoAllow ?? []), ...alsoAllow] };
}

function agentLabel(agentId: string | undefined): string {
  const id = agentId?.trim();
  return id ? `agents.${id}.tools` : "agent.tools";
}
