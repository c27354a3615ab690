import { evaluateTools, type EvaluationInput, foldSteps } from "./evaluate-tools.ts";
import { conditionalGate } from "../gates/conditional.ts";
import { createDecisions, type Decisions, isHidden, type Outcomes } from "./decisions.ts";
import type { PolicyGate } from "../gates/gate.ts";
import { modelGate } from "../gates/models.ts";
import { optionalPluginGate } from "../gates/optional-plugin.ts";
import { ownerOnlyGate } from "../gates/owner-only.ts";
import type { PolicyTool, PolicyWarning } from "../policy.ts";
import { unenforceableGate } from "../gates/unenforceable.ts";
import { availabilityGate } from "../gates/availability.ts";
import { findWarnings } from "./warnings.ts";

export interface DecideToolsInput<Tool extends PolicyTool = PolicyTool> extends EvaluationInput<Tool> {
  /** @default toolGates */
  readonly gates?: readonly PolicyGate[];
}

export interface DecidedTools<Tool extends PolicyTool = PolicyTool> {
  /** What may be seen and called, in the order it came. */
  readonly tools: readonly Tool[];
  readonly decisions: Decisions;
  /** Found when first read. */
  readonly warnings: readonly PolicyWarning[];
}

/** What stands before the steps, in this order: the first closed gate decides. */
export const toolGates: readonly PolicyGate[] = Object.freeze([
  ownerOnlyGate,
  availabilityGate,
  conditionalGate,
  modelGate,
  optionalPluginGate,
  unenforceableGate,
]);

/** Decides every tool for one caller: first the gates, then the steps. The one place where it is decided who may use what. */
export function decideTools<Tool extends PolicyTool>(input: DecideToolsInput<Tool>): DecidedTools<Tool> {
  const { gates = toolGates, groups } = input;
  const evaluation = evaluateTools(input, gates);
  const { index, steps } = evaluation;
  const outcomes = foldSteps(evaluation);
  let warnings: readonly PolicyWarning[] | undefined;
  return {
    tools: keptTools(index.tools as readonly Tool[], outcomes),
    decisions: createDecisions(index.tools, outcomes, steps),
    get warnings() {
      return (warnings ??= findWarnings({
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
