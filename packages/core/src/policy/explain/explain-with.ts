import { nearestNames } from "@toolrack/json-schema/internal";
import { normalizeToolName } from "../../tool/name.ts";
import { type Evaluation, evaluateTools, foldSteps } from "../decide/evaluate-tools.ts";
import { type CallCheck, checksOf } from "../calls/checks.ts";
import type { DecideToolsInput, DecisionParts } from "../decide/decide-with.ts";
import { decisionOf } from "../decide/decisions.ts";
import type { Decision } from "../policy.ts";
import { toSentences } from "./sentences.ts";
import { type TraceLine, traceTool } from "./trace.ts";

/** Everything that decides about one tool for one caller, as data and as sentences. */
export interface ToolExplanation {
  /** As the tool spells it; the requested name if no tool has it. */
  readonly name: string;
  readonly known: boolean;
  readonly allowed: boolean;
  /** What `decideTools` decided; absent if no tool has this name. */
  readonly decision?: Decision;
  /** Every gate that hides the tool and every step, in order, including those after the one that decided. */
  readonly trace: readonly TraceLine[];
  /** What each call is checked against; empty if no rules were passed. */
  readonly checks: readonly CallCheck[];
  /** The decision first, what to do about it next, then the other steps and the checks of each call. */
  readonly sentences: readonly string[];
}

/** Why a caller may or may not use a tool, from the same evaluation that decides it. */
export function explainWith(name: string, input: DecideToolsInput, parts: DecisionParts): ToolExplanation {
  const { gates = parts.gates } = input;
  const evaluation = evaluateTools(input, gates, parts.readSteps);
  const position = findTool(name, evaluation);
  if (position === -1) return explainUnknown(name, evaluation);
  const tool = evaluation.index.tools[position]!;
  const decision = decisionOf(position, tool.name, foldSteps(evaluation), evaluation.steps);
  const trace = traceTool(position, evaluation, gates);
  const checks = input.rules ? checksOf(tool, input.rules) : [];
  return {
    name: tool.name,
    known: true,
    allowed: decision.allowed,
    decision,
    trace,
    checks,
    sentences: toSentences(decision, trace, checks),
  };
}

/** The exact name first, then the form in which policies compare names. */
function findTool(name: string, { index }: Evaluation): number {
  const exact = index.tools.findIndex((tool) => tool.name === name);
  return exact === -1 ? index.names.indexOf(normalizeToolName(name)) : exact;
}

function explainUnknown(name: string, { index }: Evaluation): ToolExplanation {
  const nearest = nearestNames(
    name,
    index.tools.map((tool) => tool.name),
    1,
  )[0];
  const hint = nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`;
  return {
    name,
    known: false,
    allowed: false,
    trace: [],
    checks: [],
    sentences: [`No tool is named \`${name}\`, so no policy applies to it.${hint}`],
  };
}
