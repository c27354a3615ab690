import { nearestNames } from "@toolrack/json-schema/internal";
import type { Caller } from "../../tool/context.ts";
import type { ListEntry } from "../entries/entries.ts";
import { anonymousWarning } from "./anonymous-warning.ts";
import type { Decided } from "./decide-with.ts";
import type { EvaluatedStep } from "./evaluate-step.ts";
import type { IndexedTools } from "../entries/indexed-tools.ts";
import { classifyTools } from "../entries/classes.ts";
import { hitBits, markClasses, type Marks } from "../entries/marks.ts";
import { isCatalogName } from "../catalog/catalog.ts";
import { isHidden, type Outcomes, locationOf } from "./decisions.ts";
import { coreToolGroups, isGroupEntry, pluginsGroup, type ToolGroups } from "../catalog/groups.ts";
import type { ListName, PolicyTool, PolicyWarning, ToolPolicyStep, WarningKind } from "../policy.ts";
import { maxShown, showEntry, showNames } from "./shown-names.ts";
import { findUnreachable } from "./unreachable.ts";
import { unknownAgentWarning } from "../steps/unknown-agents.ts";

/** What an operator should know about the lists: what names are wrong, then what can never take effect. */
export function findWarnings(decided: Decided): readonly PolicyWarning[] {
  return [...findListWarnings(decided), ...findUnreachable(decided)];
}

/** Steps in order, one warning for each kind. */
export function findListWarnings(decided: Decided): readonly PolicyWarning[] {
  const { index, outcomes, steps, groups } = decided;
  const suggest = createSuggester(index, groups);
  const required = findRequiredHidden(decided);
  const warnings: PolicyWarning[] = [...findUnenforceable(index, outcomes), ...findUnknownRules(decided, suggest)];
  for (const [number, { step, allow, setAside, extra, deny, ask }] of steps.entries()) {
    if (step.analyse === false) continue;
    const add = (kind: ListWarningKind, list: ListName, entries: readonly string[], hint?: Suggester): void => {
      if (entries.length > 0) warnings.push(toWarning(step, kind, list, entries, hint));
    };
    const offered = allow ?? extra;
    if (setAside) add("plugin-only-allow", "allow", namesOf(setAside.entries));
    const list = allow ? "allow" : "alsoAllow";
    add("unknown-allow", list, matchingNothing(offered), suggest);
    add("unavailable", list, matchingOnlyUnavailable(offered));
    add("unknown-deny", "deny", matchingNothing(deny), suggest);
    add("unknown-ask", "ask", matchingNothing(ask), suggest);
    add("required-hidden", "deny", required.get(number) ?? []);
  }
  return warnings;
}

/** What an operator should know about one caller, beside the lists that it shares with others. */
export function findCallerWarnings(steps: readonly EvaluatedStep[], caller: Caller): readonly PolicyWarning[] {
  const strangers = steps.map(({ step }) => {
    if (step.id === "unknownAgents") return unknownAgentWarning(step, caller);
    // Lists that the configuration has are looked at: this one stands for a phase that it does not have.
    return step.id === "phase" && step.analyse === false ? unknownPhaseWarning(step, caller) : undefined;
  });
  return [anonymousWarning(steps, caller), ...strangers].filter((warning) => warning !== undefined);
}

function unknownPhaseWarning({ label }: ToolPolicyStep, { phase = "" }: Caller): PolicyWarning {
  const message = `The policy lists no phase ${JSON.stringify(phase.slice(0, 128))}, so there are no tools in it. Correct its name, or list it under phases.`;
  return { step: "phase", kind: "unknown-phase", entries: [phase], label, message };
}

function matchingNothing(list: Marks | undefined): string[] {
  return list ? namesOf(list.entries.filter((_, entry) => list.hits[entry] === 0)) : [];
}

function matchingOnlyUnavailable(list: Marks | undefined): string[] {
  if (!list) return [];
  return namesOf(
    list.entries.filter((_, entry) => list.hits[entry] !== 0 && (list.hits[entry]! & (hitBits.available | hitBits.everything)) === 0),
  );
}

function namesOf(entries: readonly ListEntry[]): string[] {
  return entries.map((entry) => entry.name);
}

/** Step → the required tools that it hides from everybody. A conditional tool whose condition is true is required. */
function findRequiredHidden({ index, outcomes, steps: evaluated, gated }: Decided): Map<number, string[]> {
  const { classOf, rules, steps, findings } = outcomes;
  const hidden = new Map<number, string[]>();
  for (const [position, tool] of index.tools.entries()) {
    const number = classOf[position]!;
    if (!isHidden(rules[number]!) || findings.has(position) || !isRequired(tool, gated)) continue;
    // The lists of one agent choose among the tools; only a list for everybody takes a tool away that is needed.
    if (!isForEverybody.has(evaluated[steps[number]!]!.step.id)) continue;
    const names = hidden.get(steps[number]!);
    if (names) names.push(tool.name);
    else hidden.set(steps[number]!, [tool.name]);
  }
  return hidden;
}

const isForEverybody: ReadonlySet<string> = new Set(["global", "globalProvider"]);

function isRequired(tool: PolicyTool, gated: boolean): boolean {
  const optionality = tool.metadata?.optionality;
  return optionality === "required" || (optionality === "conditional" && gated);
}

/** Path rules that hide tools, because they cannot be enforced for them. */
function findUnenforceable({ tools }: IndexedTools, { findings }: Outcomes): PolicyWarning[] {
  const byRule = new Map<string, string[]>();
  for (const [position, { rule, label }] of findings) {
    if (rule !== "path-rule" || label === undefined) continue;
    const names = byRule.get(label);
    if (names) names.push(tools[position]!.name);
    else byRule.set(label, [tools[position]!.name]);
  }
  return [...byRule].map(([label, entries]) => {
    const listed = showNames(
      entries.slice(0, maxShown).map((entry) => `"${entry}"`),
      entries.length,
    );
    const message = `${label} cannot be enforced for tools that run programs, so it hides ${listed}. Name other tools in the rule, or name the parameters that it is about.`;
    return { step: "global", kind: "path-rule", entries, label, message };
  });
}

/** Rules over arguments that are about no tool. */
function findUnknownRules({ index, rules }: Decided, suggest: Suggester): PolicyWarning[] {
  const named = rules?.named ?? [];
  if (named.length === 0) return [];
  const entries = named.map(({ entry }) => entry);
  const { hits } = markClasses(entries, classifyTools(index, entries, new Set()), false);
  return named.flatMap(({ entry: { name }, label }, number) => {
    if (hits[number] !== 0) return [];
    const suggestion = suggest(name);
    const message = `No tool matches ${showEntry(name, suggestion)} in ${label}, so the rule has no effect.`;
    return [{ step: "global", kind: "unknown-rule", entries: [name], ...(suggestion !== undefined && { suggestion }), label, message }];
  });
}

type ListWarningKind = Exclude<
  WarningKind,
  "unknown-agent" | "unknown-phase" | "anonymous-unlimited" | "path-rule" | "unknown-rule" | "unreachable"
>;

type Suggester = (entry: string) => string | undefined;

/** Suggests names for the first few entries only: a list of ten thousand mistakes needs no ten thousand searches. */
function createSuggester(index: IndexedTools, groups: ToolGroups | undefined): Suggester {
  let searchesLeft = 8;
  return (entry) => {
    if (isCatalogName(entry) || coreToolGroups.has(entry) || searchesLeft-- <= 0) return undefined;
    const names = isGroupEntry(entry)
      ? [...coreToolGroups.keys(), ...(groups?.keys() ?? []), pluginsGroup]
      : [...index.names, ...pluginIds(index)];
    return nearestNames(entry, names, 1)[0];
  };
}

function pluginIds({ origins }: IndexedTools): string[] {
  return origins.flatMap(({ pluginId }) => pluginId ?? []);
}

function toWarning(
  step: ToolPolicyStep,
  kind: ListWarningKind,
  list: ListName,
  entries: readonly string[],
  suggest?: Suggester,
): PolicyWarning {
  const { label } = kind === "required-hidden" ? step : locationOf(step, list);
  const shown = entries.slice(0, maxShown);
  const suggestions = shown.map((entry) => suggest?.(entry));
  const suggestion = suggestions.find((name) => name !== undefined);
  const listed = showNames(
    shown.map((entry, position) => showEntry(entry, suggestions[position])),
    entries.length,
  );
  return { step: step.id, kind, entries, ...(suggestion !== undefined && { suggestion }), label, message: sentences[kind](label, listed) };
}

const sentences: Readonly<Record<ListWarningKind, (label: string, names: string) => string>> = {
  "plugin-only-allow": (label, names) =>
    `${label} names only plugin tools (${names}), so it is ignored: otherwise it would hide every core tool. Use alsoAllow to add plugin tools.`,
  "unknown-allow": (label, names) => `No tool matches ${names} in ${label}.`,
  unavailable: (label, names) => `${label} names ${names}, and the matching tools are not available.`,
  "unknown-deny": (label, names) => `No tool matches ${names} in ${label}, so nothing is denied by it.`,
  "unknown-ask": (label, names) => `No tool matches ${names} in ${label}, so no call needs approval because of it.`,
  "required-hidden": (label, names) => `${label} hides ${names} from every agent, although marked as required.`,
};
