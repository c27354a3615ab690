import type { ReadPolicy, ReadPolicyConfig, ReadProviderTools } from "./_read.ts";
import { showPath, sourceAt } from "./_fields.ts";
import type { ConfigPath, Locate } from "./shape.ts";
import type { ListName, PolicyLocation, ToolPolicyStep } from "../policy.ts";
import { resolveCoreToolProfilePolicy } from "../catalog/profiles.ts";
import { toStep } from "../steps/steps.ts";

export interface ProfileStep {
  readonly step?: ToolPolicyStep;
  /** The scopes whose `alsoAllow` went into the step. */
  readonly spent: ReadonlySet<ReadPolicy>;
}

/**
 * The profile of the narrowest scope that sets one. `alsoAllow` of that scope, and of narrower ones, adds to it; `alsoAllow` for everybody
 * is not added to a profile that an agent sets for itself.
 * @param scopes widest first
 */
export function profileStep(
  id: "profile" | "providerProfile",
  scopes: readonly (ReadProviderTools | undefined)[],
  { profiles }: ReadPolicyConfig,
  locate: Locate | undefined,
): ProfileStep {
  const chooser = scopes.findLastIndex((scope) => scope?.profile !== undefined);
  const profile = scopes[chooser]?.profile;
  if (profile === undefined) return { spent: new Set() };
  const path = [...scopes[chooser]!.path, "profile"];
  const own = profiles?.get(profile);
  const wideners = scopes.slice(chooser).filter((scope) => scope !== undefined);
  const additions = [...(own ? [own] : []), ...wideners].flatMap(toAdditions);
  const label = `${showPath(path)} (${profile})`;
  const locationOf = (list: ListName, position?: number): PolicyLocation => {
    if (list === "alsoAllow") {
      const at = position === undefined ? undefined : additions[position];
      const base = at?.list ?? [...wideners.at(-1)!.path, "alsoAllow"];
      return { label: showPath(base), source: sourceAt(locate, at ? [...base, at.position] : base) };
    }
    return { label, source: sourceAt(locate, own && position !== undefined ? [...own.path, list, position] : path) };
  };
  const step = toStep(id, label, own?.policy ?? resolveCoreToolProfilePolicy(profile), { profile, locationOf });
  if (step?.allow === undefined) return { step, spent: new Set() };
  return { step: { ...step, alsoAllow: additions.map(({ entry }) => entry) }, spent: new Set(wideners) };
}

interface Addition {
  readonly entry: string;
  readonly list: ConfigPath;
  readonly position: number;
}

function toAdditions({ path, policy }: ReadPolicy): Addition[] {
  return (policy.alsoAllow ?? []).map((entry, position) => ({ entry, list: [...path, "alsoAllow"], position }));
}
