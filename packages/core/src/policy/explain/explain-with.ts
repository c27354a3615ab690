import { nearestNames } from "@toolrack/json-schema/internal";
import { evaluateOne, foldSteps } from "../decide/evaluate-tools.ts";
import { type IndexedTools, pickTool, positionOf } from "../entries/indexed-tools.ts";
import type { Among } from "../entries/list-matcher.ts";
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

/**
 * Why a caller may or may not use a tool, from the same evaluation that decides it.
 * @param among all tools; the one that is asked about is one of them
 */
export function explainWith(name: string, among: Among, input: Omit<DecideToolsInput, "tools">, parts: DecisionParts): ToolExplanation {
  const { gates = parts.gates, caller = {} } = input;
  const one = findTool(name, among);
  if (one === undefined) return explainUnknown(name, among);
  const tool = one.tools[0]!;
  const evaluation = evaluateOne(one, among, input, gates, parts.readSteps({ ...input, tools: [] }));
  const decision = decisionOf(0, tool, foldSteps(evaluation), evaluation.steps, caller);
  const trace = traceTool(0, evaluation, gates);
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

/** The exact name first, then the form in which policies compare names; the name that a renamed tool has at its source comes last. */
function findTool(name: string, among: Among): IndexedTools | undefined {
  const exact = among.find(({ positions }) => positions.has(name));
  if (exact !== undefined) return pickTool(exact, exact.positions.get(name)!);
  for (const index of among) {
    const position = positionOf(index, name);
    if (position !== undefined) return pickTool(index, position);
  }
  return undefined;
}

function explainUnknown(name: string, among: Among): ToolExplanation {
  const nearest = nearestNames(
    name,
    among.flatMap(({ tools }) => tools.map((tool) => tool.name)),
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
