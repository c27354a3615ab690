import type { EvaluatedStep } from "../decide/evaluate-step.ts";
import type { Evaluation } from "../decide/evaluate-tools.ts";
import type { Marks } from "../entries/marks.ts";
import type { Caller } from "../../tool/context.ts";
import { locationOf, reasonFor } from "../decide/decisions.ts";
import type { PolicyGate } from "../gates/gate.ts";
import { inheritedEntry } from "../gates/inherited.ts";
import type { DecisionRule, ListName, PolicyLocation, PolicyTool, StepId } from "../policy.ts";

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
function inheritedLine({ name }: PolicyTool, { inherited }: Caller): TraceLine[] {
  const entry = inherited && inheritedEntry(name, inherited);
  return entry === undefined ? [] : [{ outcome: "keeps", rule: "allow", step: "inherited", label: "inherited", entry }];
}

function traceStep(tool: PolicyTool, number: number, evaluated: EvaluatedStep, caller: Caller): TraceLine[] {
  const { step, allow, setAside, extra, deny, ask } = evaluated;
  const at = (list: ListName, location: PolicyLocation = locationOf(step, list)): Pick<TraceLine, "step" | "label" | "source"> => ({
    step: step.id,
    label: location.label,
    ...(location.source !== undefined && { source: location.source }),
  });
  const denied = findEntry(evaluated, deny, number);
  if (denied) {
    const told = { ...reasonFor(step, caller), remedy: step.remedy?.(tool, caller) ?? toRemedy(tool.name, denied) };
    return [{ outcome: "hides", rule: "deny", ...at("deny", denied.location), entry: denied.entry, ...told }];
  }
  const asked = findEntry(evaluated, ask, number);
  const asks: TraceLine[] = asked ? [{ outcome: "asks", rule: "ask", ...at("ask", asked.location), entry: asked.entry }] : [];
  if (allow) {
    const allowed = findEntry(evaluated, allow, number);
    if (allowed) return [{ outcome: "keeps", rule: "allow", ...at("allow", allowed.location), entry: allowed.entry }, ...asks];
    return [
      { outcome: "hides", rule: "not-in-allow", ...at("allow"), remedy: `Add "${tool.name}" to ${locationOf(step, "alsoAllow").label}` },
    ];
  }
  if (setAside) return [{ outcome: "sets-aside", rule: "none", ...at("allow") }, ...asks];
  if (asked) return asks;
  const list: ListName | undefined = deny ? "deny" : ask ? "ask" : extra ? "alsoAllow" : undefined;
  return [{ outcome: "keeps", rule: "none", ...(list ? at(list) : { step: step.id, label: step.label }) }];
}

interface FoundEntry {
  readonly entry: string;
  readonly location: PolicyLocation;
}

function findEntry({ step }: EvaluatedStep, marks: Marks | undefined, number: number): FoundEntry | undefined {
  const entry = marks?.entries[marks.byClass[number]! - 1];
  return entry && { entry: entry.text, location: locationOf(step, entry.list, entry.position) };
}

function toRemedy(name: string, { entry, location }: FoundEntry): string {
  if (location.lift !== undefined) return `Add "${name}" to ${location.lift}: its own name there overrides this default`;
  return `Remove "${entry}" from ${location.label}, or replace it with a narrower entry: no other list can override a deny`;
}
