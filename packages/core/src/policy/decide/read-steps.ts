import { classifyTools } from "../entries/classes.ts";
import { namedBy } from "../gates/optional-plugin.ts";
import type { PolicyTool } from "../policy.ts";
import { entriesOf, evaluateStep, readStep } from "./evaluate-step.ts";
import type { EvaluationInput, ReadSteps } from "./evaluate-tools.ts";

/** Reads the lists of the steps. Throws POLICY_INVALID for a step that cannot be read. */
export function readSteps({ steps, groups }: EvaluationInput): ReadSteps {
  const read = steps.map((step) => readStep(step, groups));
  let named: ((tool: PolicyTool) => boolean) | undefined;
  return {
    isNamed(tool) {
      named ??= namedBy(read.flatMap(({ allow, alsoAllow }) => [...allow, ...alsoAllow]));
      return named(tool);
    },
    evaluate(index, unavailable) {
      const classes = classifyTools(index, entriesOf(read), unavailable);
      return { classes, steps: read.map((step) => evaluateStep(step, classes)) };
    },
  };
}
