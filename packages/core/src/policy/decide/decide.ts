import { unenforceableGate } from "../gates/unenforceable.ts";
import type { PolicyGate } from "../gates/gate.ts";
import type { PolicyTool } from "../policy.ts";
import { type DecidedTools, type DecideToolsInput, type DecisionParts, decideWith } from "./decide-with.ts";
import { gatesWithoutPolicy } from "./no-policy.ts";
import { readSteps } from "./read-steps.ts";
import { findCallerWarnings, findWarnings } from "./warnings.ts";

/** The gates, which come before the steps, in this order: the first that hides a tool decides. */
export const toolGates: readonly PolicyGate[] = Object.freeze([...gatesWithoutPolicy, unenforceableGate]);

export const policyParts: DecisionParts = Object.freeze({ gates: toolGates, readSteps, findWarnings, findCallerWarnings });

/** Decides every tool for one caller: first the gates, then the steps. */
export function decideTools<Tool extends PolicyTool>(input: DecideToolsInput<Tool>): DecidedTools<Tool> {
  return decideWith(input, policyParts);
}

export type { DecidedTools, DecideToolsInput };
