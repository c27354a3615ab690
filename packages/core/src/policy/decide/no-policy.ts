import { ToolError } from "../../errors.ts";
import { availabilityGate } from "../gates/availability.ts";
import { conditionalGate } from "../gates/conditional.ts";
import type { PolicyGate } from "../gates/gate.ts";
import { inheritedGate } from "../gates/inherited.ts";
import { modelGate } from "../gates/models.ts";
import { optionalPluginGate } from "../gates/optional-plugin.ts";
import { ownerOnlyGate } from "../gates/owner-only.ts";
import { anonymousWarning } from "./anonymous-warning.ts";
import type { DecisionParts } from "./decide-with.ts";
import type { ReadSteps } from "./evaluate-tools.ts";

/** What tools ask of their callers, whatever a policy says. */
export const gatesWithoutPolicy: readonly PolicyGate[] = Object.freeze([
  inheritedGate,
  ownerOnlyGate,
  availabilityGate,
  conditionalGate,
  modelGate,
  optionalPluginGate,
]);

/** Decides as `decideTools` does without steps and rules, and loads nothing of what reads those. */
export const partsWithoutPolicy: DecisionParts = {
  gates: gatesWithoutPolicy,
  readSteps({ steps, rules }): ReadSteps {
    if (steps.length > 0 || rules !== undefined) throw new ToolError("POLICY_INVALID", "Steps and rules need a policy that was read.");
    return noSteps;
  },
  findWarnings: () => [],
  findCallerWarnings(steps, caller) {
    const warning = anonymousWarning(steps, caller);
    return warning === undefined ? [] : [warning];
  },
};

const noSteps: ReadSteps = {
  isNamed: () => false,
  evaluate: ({ tools }) => ({
    classes: { classOf: new Int32Array(tools.length), classes: [{ isPlugin: false, isAvailable: true }] },
    steps: [],
  }),
  evaluateOne: () => [],
};
