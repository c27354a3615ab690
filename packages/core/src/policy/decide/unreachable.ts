import type { ToolClasses } from "../entries/classes.ts";
import type { ListEntry } from "../entries/entries.ts";
import { classesOf } from "../entries/marks.ts";
import type { ListName, PolicyWarning, StepId, ToolPolicyStep } from "../policy.ts";
import type { Decided } from "./decide-with.ts";
import { locationOf } from "./decisions.ts";
import type { EvaluatedStep } from "./evaluate-step.ts";
import { maxShown, showEntry, showNames } from "./shown-names.ts";

/**
 * Warns of entries that allow or ask, where another list hides every tool that they match, whoever the entry applies to. A second deny is
 * no mistake, and neither is a part of a built-in profile.
 */
export function findUnreachable({ classes, steps }: Decided): readonly PolicyWarning[] {
  if (!hasLookups(classes)) return [];
  return steps.flatMap((evaluated) => {
    const { step } = evaluated;
    if (step.analyse === false) return [];
    const others = steps.filter((other) => other === evaluated || appliesWith[step.id].includes(other.step.id));
    return listsOf(evaluated).flatMap(({ list, entries, grants }) => {
      const unreachable = new Map(
        entries.flatMap((entry) => {
          const hiders = hidersOf(entry, classes, grants, others);
          return hiders.length === 0 ? [] : [[entry, hiders] as const];
        }),
      );
      return unreachable.size === 0 ? [] : [toWarning(step, list, unreachable)];
    });
  });
}

/** The steps that apply to every caller to whom a step applies. */
const appliesWith: Readonly<Record<StepId, readonly StepId[]>> = {
  unknownAgents: [],
  profile: ["global"],
  providerProfile: ["global"],
  global: [],
  globalProvider: ["global"],
  agent: ["profile", "global"],
  agentProvider: ["profile", "providerProfile", "global", "globalProvider", "agent"],
  group: ["global"],
  sandbox: ["global"],
  subagent: ["global"],
  phase: ["global"],
  inherited: [],
};

interface WrittenList {
  readonly list: ListName;
  readonly entries: readonly ListEntry[];
  readonly grants: boolean;
}

/** What an operator wrote into the lists of a step. Of a profile that is only what was added to it. */
function listsOf({ step, allow, extra, ask }: EvaluatedStep): readonly WrittenList[] {
  const offered = (allow ?? extra)?.entries.filter(({ position }) => position !== undefined) ?? [];
  return [
    { list: "allow", entries: step.profile === undefined ? offered.filter(({ list }) => list === "allow") : [], grants: true },
    { list: "alsoAllow", entries: offered.filter(({ list }) => list === "alsoAllow"), grants: true },
    { list: "ask", entries: ask?.entries ?? [], grants: false },
  ];
}

/** The lists that hide every available tool that an entry matches; none if one of the tools is left. */
function hidersOf(entry: ListEntry, tools: ToolClasses, grants: boolean, steps: readonly EvaluatedStep[]): readonly string[] {
  const labels = new Set<string>();
  for (const matched of classesOf(entry, tools, grants) ?? []) {
    if (!tools.classes[matched]!.isAvailable) continue;
    const hider = steps.find(({ deny, allow }) => isMarked(deny, matched) || (allow !== undefined && !isMarked(allow, matched)));
    if (hider === undefined) return [];
    labels.add(locationOf(hider.step, isMarked(hider.deny, matched) ? "deny" : "allow").label);
  }
  return [...labels];
}

function toWarning(step: ToolPolicyStep, list: ListName, unreachable: ReadonlyMap<ListEntry, readonly string[]>): PolicyWarning {
  const [first] = unreachable.keys();
  const { label } = locationOf(step, list, first!.position);
  const entries = [...unreachable.keys()].map(({ name }) => name);
  const listed = showNames(
    entries.slice(0, maxShown).map((entry) => showEntry(entry)),
    entries.length,
  );
  const hiders = [...new Set([...unreachable.values()].flat())];
  const others = showNames(hiders.slice(0, maxShown), hiders.length);
  const isOne = entries.length === 1;
  const message = `${listed} in ${label} ${isOne ? "has" : "have"} no effect, because ${others} ${hiders.length === 1 ? "hides" : "hide"} what ${isOne ? "it matches" : "they match"}. Remove ${isOne ? "the entry" : "these entries"}, or change ${others}.`;
  return { step: step.id, kind: "unreachable", entries, label, message };
}

function isMarked(marks: EvaluatedStep["deny"], tools: number): boolean {
  return marks !== undefined && marks.byClass[tools] !== 0;
}

function hasLookups(classes: Decided["classes"]): classes is ToolClasses {
  return classes.byName !== undefined;
}
