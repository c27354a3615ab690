import { classifyTools } from "../entries/classes.ts";
import type { ToolGroups } from "../catalog/groups.ts";
import type { ToolPolicyStep } from "../policy.ts";
import { entriesOf, evaluateStep, type ReadStep, readStep } from "./evaluate-step.ts";
import type { EvaluationInput, ReadSteps } from "./evaluate-tools.ts";
import { type PreparedStep, prepareStep } from "./prepared-step.ts";

/** Reads the lists of the steps. Throws POLICY_INVALID for a step that cannot be read. */
export function readSteps({ steps, groups }: Pick<EvaluationInput, "steps" | "groups">): ReadSteps {
  const read = steps.map((step) => readOnce(step, groups));
  return {
    isNamed: (tool) => read.some((one) => preparedOf(one).isNamed(tool)),
    evaluate(index, unavailable) {
      const classes = classifyTools(index, entriesOf(read.map(({ lists }) => lists)), unavailable);
      return { classes, steps: read.map(({ lists }) => evaluateStep(lists, classes)) };
    },
    evaluateOne: (one, among) => read.map((step) => preparedOf(step).evaluate(one, among)),
  };
}

/** What was read of a step. */
interface OnceRead {
  readonly lists: ReadStep;
  readonly groups: ToolGroups | undefined;
  prepared: PreparedStep | undefined;
}

const settled = new WeakMap<ToolPolicyStep, OnceRead | undefined>();

/** For steps that never change, and whose groups never do: they are read once, however many callers they apply to. */
export function settleStep(step: ToolPolicyStep): ToolPolicyStep {
  settled.set(Object.freeze(step), undefined);
  return step;
}

function readOnce(step: ToolPolicyStep, groups: ToolGroups | undefined): OnceRead {
  const known = settled.get(step);
  if (known !== undefined && known.groups === groups) return known;
  const read: OnceRead = { lists: readStep(step, groups), groups, prepared: undefined };
  if (settled.has(step)) settled.set(step, read);
  return read;
}

function preparedOf(read: OnceRead): PreparedStep {
  return (read.prepared ??= prepareStep(read.lists));
}
