import { isObject, nearestNames } from "@toolrack/json-schema/internal";
import { ToolError } from "../../errors.ts";
import type { ToolClasses } from "../entries/classes.ts";
import { describeValue, type ListEntry, readEntries } from "../entries/entries.ts";
import { hitBits, markClasses, type Marks } from "../entries/marks.ts";
import type { ToolGroups } from "../catalog/groups.ts";
import type { ListName, ToolPolicyStep } from "../policy.ts";

/** A step applied to the tools: what each of its lists matches. */
export interface EvaluatedStep {
  readonly step: ToolPolicyStep;
  readonly deny: Marks | undefined;
  readonly ask: Marks | undefined;
  /** Present if the step allows only some tools. */
  readonly allow: Marks | undefined;
  /** The allow list named only plugin tools and is ignored. */
  readonly setAside: Marks | undefined;
  /** `alsoAllow` without `allow`: it names what is allowed anyway. */
  readonly extra: Marks | undefined;
}

/** A step whose entries are read, before any tool is looked at. */
export interface ReadStep extends Readonly<Record<ListName, readonly ListEntry[]>> {
  readonly step: ToolPolicyStep;
}

export function readStep(step: ToolPolicyStep, groups: ToolGroups | undefined): ReadStep {
  assertStep(step);
  return {
    step,
    allow: readEntries(step, "allow", groups),
    alsoAllow: readEntries(step, "alsoAllow", groups),
    deny: readEntries(step, "deny", groups),
    ask: readEntries(step, "ask", groups),
  };
}

/** Every entry that some list of these steps holds. */
export function entriesOf(steps: readonly ReadStep[]): ListEntry[] {
  return steps.flatMap(({ allow, alsoAllow, deny, ask }) => [...allow, ...alsoAllow, ...deny, ...ask]);
}

export function evaluateStep({ step, allow, alsoAllow, deny, ask }: ReadStep, tools: ToolClasses): EvaluatedStep {
  const restricts = allow.length > 0;
  const joined = step.profile !== undefined && tools.byProfile.has(step.profile) ? step.profile : undefined;
  const allowed = restricts ? joinLists(allow, alsoAllow, joined) : alsoAllow;
  const marks = allowed.length > 0 ? markClasses(allowed, tools, true) : undefined;
  const setAside = restricts && yieldsToPlugins(step) && hitOnlyPlugins(marks!);
  return {
    step,
    allow: restricts && !setAside ? marks : undefined,
    setAside: setAside ? marks : undefined,
    extra: restricts ? undefined : marks,
    deny: deny.length > 0 ? markClasses(deny, tools, false) : undefined,
    ask: ask.length > 0 ? markClasses(ask, tools, false) : undefined,
  };
}

/** @param profile the profile that tools join by their metadata, if any does */
export function joinLists(allow: readonly ListEntry[], alsoAllow: readonly ListEntry[], profile: string | undefined): readonly ListEntry[] {
  const joined: readonly ListEntry[] =
    profile !== undefined
      ? [{ text: profile, name: `profile:${profile}`, list: "allow", atoms: [{ kind: "joined-profile", profile }] }]
      : [];
  if (alsoAllow.length === 0 && joined.length === 0) return allow;
  const names = new Set(allow.map((entry) => entry.name));
  return [...allow, ...joined, ...alsoAllow.filter((entry) => !names.has(entry.name))];
}

/** Whether the allow list of a step is ignored if it names only plugin tools. */
export function yieldsToPlugins({ analyse, strict }: ToolPolicyStep): boolean {
  return analyse !== false && strict !== true;
}

function hitOnlyPlugins({ hits }: Marks): boolean {
  return hits.every((bits) => (bits & hitBits.plugin) !== 0 && (bits & (hitBits.core | hitBits.everything)) === 0);
}

const stepKeys: Readonly<Record<keyof ToolPolicyStep, true>> = {
  id: true,
  label: true,
  allow: true,
  alsoAllow: true,
  deny: true,
  ask: true,
  analyse: true,
  strict: true,
  profile: true,
  locationOf: true,
  reason: true,
  remedy: true,
};

/** A list under a misspelled key would silently restrict nothing. */
function assertStep(step: unknown): void {
  if (!isObject(step)) throw new ToolError("POLICY_INVALID", `A step of a policy must be an object, but it is ${describeValue(step)}.`);
  const wrong = Object.keys(step).find((key) => !Object.hasOwn(stepKeys, key));
  if (wrong === undefined) return;
  const nearest = nearestNames(wrong, Object.keys(stepKeys), 1)[0];
  const hint = nearest === undefined ? `It may have ${Object.keys(stepKeys).join(", ")}.` : `Did you mean "${nearest}"?`;
  throw new ToolError("POLICY_INVALID", `A step of a policy has no field ${JSON.stringify(wrong)}. ${hint}`);
}
