import type { Caller } from "../../tool/context.ts";
import type { ToolGroups } from "../catalog/groups.ts";
import type { IndexedTools } from "../entries/indexed-tools.ts";
import { conditionalGate } from "../gates/conditional.ts";
import type { PolicyGate } from "../gates/gate.ts";
import type { PolicyTool, PolicyWarning } from "../policy.ts";
import { createDecisions, type Decisions, isHidden, type Outcomes } from "./decisions.ts";
import type { EvaluatedStep } from "./evaluate-step.ts";
import { evaluateTools, type EvaluationInput, foldSteps, type ReadSteps } from "./evaluate-tools.ts";

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

/** What was decided, for those who look for mistakes in the lists. */
export interface Decided {
  readonly index: IndexedTools;
  readonly outcomes: Outcomes;
  readonly steps: readonly EvaluatedStep[];
  /** Whether the gates were applied, so that a conditional tool that reached the steps is required. */
  readonly gated: boolean;
  readonly caller: Caller;
  readonly groups: ToolGroups | undefined;
}

/** What decisions are made with: everything for a policy, or gates alone where there is none. */
export interface DecisionParts {
  /** Before the steps, in this order: the first closed gate decides. */
  readonly gates: readonly PolicyGate[];
  readSteps(input: EvaluationInput): ReadSteps;
  findWarnings(decided: Decided): readonly PolicyWarning[];
}

/** Decides every tool for one caller: first the gates, then the steps. Every decision about who may use what is made here. */
export function decideWith<Tool extends PolicyTool>(input: DecideToolsInput<Tool>, parts: DecisionParts): DecidedTools<Tool> {
  const { gates = parts.gates, groups } = input;
  const evaluation = evaluateTools(input, gates, parts.readSteps);
  const { index, steps } = evaluation;
  const outcomes = foldSteps(evaluation);
  let warnings: readonly PolicyWarning[] | undefined;
  return {
    tools: keptTools(index.tools as readonly Tool[], outcomes),
    decisions: createDecisions(index.tools, outcomes, steps),
    get warnings() {
      return (warnings ??= parts.findWarnings({
        index,
        outcomes,
        steps,
        gated: gates.includes(conditionalGate),
        caller: input.caller ?? {},
        groups,
      }));
    },
  };
}

function keptTools<Tool>(tools: readonly Tool[], { classOf, rules, findings }: Outcomes): Tool[] {
  const kept: Tool[] = [];
  for (let tool = 0; tool < tools.length; tool++) {
    if (!isHidden(rules[classOf[tool]!]!) && (findings.size === 0 || !findings.has(tool))) kept.push(tools[tool]!);
  }
  return kept;
}
