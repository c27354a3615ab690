import type { EvaluatedStep } from "../decide/evaluate-step.ts";
import type { Evaluation } from "../decide/evaluate-tools.ts";
import type { Marks } from "../entries/marks.ts";
import { matchedName } from "../entries/matched-name.ts";
import type { Caller } from "../../tool/context.ts";
import { registeredNameOf } from "../../tool/registered.ts";
import { locationOf, reasonFor } from "../decide/decisions.ts";
import type { PolicyGate } from "../gates/gate.ts";
import { inheritedEntry } from "../gates/inherited.ts";
import type { DecisionRule, ListName, PolicyLocation, PolicyTool, StepId, ToolPolicyStep } from "../policy.ts";

/** The effect of one gate or one step on one tool, regardless of the others. */
export interface TraceLine {
  readonly outcome: "hides" | "keeps" | "asks" | "sets-aside";
  readonly rule: DecisionRule | "ask";
  /** The path in the configuration; for a gate, its rule. */
  readonly label: string;
  readonly step?: StepId;
  readonly entry?: string;
  readonly source?: string;
  readonly reason?: string;
  /** The name that the entry matched, if the tool was renamed. */
  readonly matched?: string;
  /** What would make the tool available, if this hides it. */
  readonly remedy?: string;
}

export function traceTool(position: number, { index, classes, steps, facts }: Evaluation, gates: readonly PolicyGate[]): TraceLine[] {
  const tool = index.tools[position]!;
  const number = classes.classOf[position]!;
  return [
    ...gates.flatMap((gate): TraceLine[] => {
      const finding = gate(tool, facts);
      return finding ? [{ outcome: "hides", label: finding.rule, ...finding }] : [];
    }),
    ...inheritedLine(tool, facts.caller),
    ...steps.flatMap((step) => traceStep(tool, number, step, facts.caller)),
  ];
}

/** That a tool is inherited; a gate tells that it is not. */
function inheritedLine(tool: PolicyTool, { inherited }: Caller): TraceLine[] {
  const entry = inherited && inheritedEntry(tool, inherited);
  return entry === undefined ? [] : [{ outcome: "keeps", rule: "allow", step: "inherited", label: "inherited", entry }];
}

function traceStep(tool: PolicyTool, number: number, evaluated: EvaluatedStep, caller: Caller): TraceLine[] {
  const { step, allow, setAside, extra, deny, ask } = evaluated;
  const at = (list: ListName, location: PolicyLocation = locationOf(step, list)): Pick<TraceLine, "step" | "label" | "source"> => ({
    step: step.id,
    label: location.label,
    ...(location.source !== undefined && { source: location.source }),
  });
  const by = (list: ListName, { entry, location, matched }: FoundEntry) => ({
    ...at(list, location),
    entry,
    ...(matched !== undefined && { matched }),
  });
  const denied = findEntry(evaluated, deny, number, tool, false);
  if (denied) {
    const told = { ...reasonFor(step, caller), remedy: step.remedy?.(tool, caller) ?? toRemedy(denied.matched ?? tool.name, denied) };
    return [{ outcome: "hides", rule: "deny", ...by("deny", denied), ...told }];
  }
  const asked = findEntry(evaluated, ask, number, tool, false);
  const asks: TraceLine[] = asked ? [{ outcome: "asks", rule: "ask", ...by("ask", asked) }] : [];
  if (allow) {
    const allowed = findEntry(evaluated, allow, number, tool, true);
    if (allowed) return [{ outcome: "keeps", rule: "allow", ...by("allow", allowed) }, ...asks];
    const remedy = `Add "${registeredNameOf(tool)}" to ${placeToAllow(step)}`;
    return [{ outcome: "hides", rule: "not-in-allow", ...at("allow"), remedy }];
  }
  if (setAside) return [{ outcome: "sets-aside", rule: "none", ...at("allow") }, ...asks];
  if (asked) return asks;
  const list: ListName | undefined = deny ? "deny" : ask ? "ask" : extra ? "alsoAllow" : undefined;
  return [{ outcome: "keeps", rule: "none", ...(list ? at(list) : { step: step.id, label: step.label }) }];
}

/** The list that is there; `alsoAllow` where that is a profile's or a default, which a list of one's own would replace. */
function placeToAllow(step: ToolPolicyStep): string {
  const { label, lift } = locationOf(step, "allow");
  return lift ?? (step.profile === undefined ? label : locationOf(step, "alsoAllow").label);
}

interface FoundEntry {
  readonly entry: string;
  readonly location: PolicyLocation;
  readonly matched: string | undefined;
}

function findEntry(
  { step }: EvaluatedStep,
  marks: Marks | undefined,
  number: number,
  tool: PolicyTool,
  grants: boolean,
): FoundEntry | undefined {
  const entry = marks?.entries[marks.byClass[number]! - 1];
  const location = entry && locationOf(step, entry.list, entry.position);
  return location && { entry: entry.text, location, matched: matchedName(entry, tool, grants) };
}

function toRemedy(name: string, { entry, location }: FoundEntry): string {
  if (location.lift !== undefined) return `Add "${name}" to ${location.lift}: its own name there overrides this default`;
  return `Remove "${entry}" from ${location.label}, or replace it with a narrower entry: no other list can override a deny`;
}
