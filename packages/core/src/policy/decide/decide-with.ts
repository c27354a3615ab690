import type { Caller } from "../../tool/context.ts";
import type { CallRules } from "../calls/rules.ts";
import type { ToolGroups } from "../catalog/groups.ts";
import type { IndexedTools } from "../entries/indexed-tools.ts";
import { conditionalGate } from "../gates/conditional.ts";
import type { PolicyGate } from "../gates/gate.ts";
import type { Among } from "../entries/list-matcher.ts";
import type { Decision, PolicyTool, PolicyWarning } from "../policy.ts";
import { createDecisions, decisionOf, type Decisions, isHidden, type Outcomes } from "./decisions.ts";
import type { EvaluatedStep } from "./evaluate-step.ts";
import { evaluateOne, evaluateTools, type Evaluation, type EvaluationInput, foldSteps, type ReadSteps } from "./evaluate-tools.ts";

export interface DecideToolsInput<Tool extends PolicyTool = PolicyTool> extends EvaluationInput<Tool> {
  /** @default toolGates */
  readonly gates?: readonly PolicyGate[];
}

export interface DecidedTools<Tool extends PolicyTool = PolicyTool> {
  /** What may be seen and called, in the given order. */
  readonly tools: readonly Tool[];
  readonly decisions: Decisions;
  /** Computed when first read. */
  readonly warnings: readonly PolicyWarning[];
}

/** What was decided for callers to whom the same steps apply. */
export interface SharedDecisions<Tool extends PolicyTool = PolicyTool> extends DecidedTools<Tool> {
  /** The warnings that another caller gets, to whom the same applies. */
  warningsFor(caller: Caller): readonly PolicyWarning[];
}

/** What was decided, for those who look for mistakes in the lists. */
export interface Decided {
  readonly index: IndexedTools;
  readonly classes: Evaluation["classes"];
  readonly outcomes: Outcomes;
  readonly steps: readonly EvaluatedStep[];
  /** Whether the gates were applied, so that a conditional tool that reached the steps is required. */
  readonly gated: boolean;
  readonly groups: ToolGroups | undefined;
  readonly rules: CallRules | undefined;
}

/** What decisions are made with: everything for a policy, or gates alone where there is none. */
export interface DecisionParts {
  /** Before the steps, in this order: the first closed gate decides. */
  readonly gates: readonly PolicyGate[];
  readSteps(input: EvaluationInput): ReadSteps;
  /** Warnings about the lists, whoever they apply to. */
  findWarnings(decided: Decided): readonly PolicyWarning[];
  findCallerWarnings(steps: readonly EvaluatedStep[], caller: Caller): readonly PolicyWarning[];
}

/** Decides every tool for one caller: first the gates, then the steps. Every decision about who may use what is made here. */
export function decideWith<Tool extends PolicyTool>(input: DecideToolsInput<Tool>, parts: DecisionParts): SharedDecisions<Tool> {
  const { gates = parts.gates, groups, rules, caller = {} } = input;
  const evaluation = evaluateTools(input, gates, parts.readSteps);
  const { index, classes, steps } = evaluation;
  const outcomes = foldSteps(evaluation);
  let found: readonly PolicyWarning[] | undefined;
  const warningsFor = (asked: Caller): readonly PolicyWarning[] => {
    found ??= parts.findWarnings({ index, classes, outcomes, steps, gated: gates.includes(conditionalGate), groups, rules });
    const own = parts.findCallerWarnings(steps, asked);
    return own.length === 0 ? found : [...own, ...found];
  };
  return {
    tools: keptTools(index.tools as readonly Tool[], outcomes),
    decisions: createDecisions(index, outcomes, steps, caller),
    get warnings() {
      return warningsFor(caller);
    },
    warningsFor,
  };
}

/** Decides one tool as `decideWith` decides it among all, without a look at each of them. */
export function decideOne(one: IndexedTools, among: Among, input: Omit<DecideToolsInput, "tools">, parts: DecisionParts): Decision {
  const { gates = parts.gates, caller = {} } = input;
  const evaluation = evaluateOne(one, among, input, gates, parts.readSteps({ ...input, tools: [] }));
  return decisionOf(0, one.tools[0]!, foldSteps(evaluation), evaluation.steps, caller);
}

function keptTools<Tool>(tools: readonly Tool[], { classOf, rules, findings }: Outcomes): Tool[] {
  const kept: Tool[] = [];
  for (let tool = 0; tool < tools.length; tool++) {
    if (!isHidden(rules[classOf[tool]!]!) && (findings.size === 0 || !findings.has(tool))) kept.push(tools[tool]!);
  }
  return kept;
}
