import type { ChainProblem } from "./chain.ts";
import { type InputNode, listOf, type ReadChain, type ReadStep } from "./read.ts";
import type { Reference } from "./references.ts";

export interface ChainOrder {
  /** Steps by levels: those of one level run at the same time, after all of the levels before it. */
  readonly levels: readonly (readonly ReadStep[])[];
  /** Each step with those that it waits for. */
  readonly waitsFor: ReadonlyMap<string, ReadonlySet<string>>;
  readonly problems: readonly ChainProblem[];
}

/** Finds what each step has to wait for, from its references and from `dependsOn`. */
export function orderSteps({ steps }: ReadChain): ChainOrder {
  const problems: ChainProblem[] = [];
  const byId = new Map(steps.map((step) => [step.id, step]));
  const waitsFor = new Map<string, ReadonlySet<string>>();
  for (const step of steps) {
    const needed = new Set<string>();
    const need = (id: string, how: string): void => {
      if (id === step.id) problems.push(problem(step, `${how} itself. Refer to a step that runs before it.`));
      else if (byId.has(id)) needed.add(id);
      else problems.push(problem(step, `${how} "${id.slice(0, 80)}", which is not a step. ${adviceFor(id, byId.keys())}`));
    };
    for (const { step: id, text } of referencesOf(step.input)) if (id !== "input") need(id, `${text.slice(0, 80)} refers to`);
    for (const id of step.dependsOn) need(id, "dependsOn names");
    waitsFor.set(step.id, needed);
  }
  const levels: ReadStep[][] = [];
  const done = new Set<string>();
  let left = [...steps];
  while (left.length > 0) {
    const level = left.filter(({ id }) => [...waitsFor.get(id)!].every((one) => done.has(one)));
    if (level.length === 0) {
      const circle = circleAmong(left, waitsFor);
      problems.push(
        problem(
          byId.get(circle[0]!)!,
          `${circle.map((id) => `"${id}"`).join(" waits for ")}. Take one of these references or dependsOn out.`,
        ),
      );
      break;
    }
    levels.push(level);
    for (const { id } of level) done.add(id);
    left = left.filter(({ id }) => !done.has(id));
  }
  return { levels, waitsFor, problems };
}

/** Every reference of an input, in the order in which they stand. */
export function* referencesOf(node: InputNode): Iterable<Reference> {
  if (node.kind === "text") for (const part of node.parts) if (typeof part !== "string") yield part;
  if (node.kind === "list") for (const item of node.items) yield* referencesOf(item);
  if (node.kind === "object") for (const [, value] of node.entries) yield* referencesOf(value);
}

function problem({ id }: ReadStep, fact: string): ChainProblem {
  return { step: id, message: `Step "${id}": ${fact}` };
}

const outside: ReadonlySet<string> = new Set(["secret", "secrets", "env", "process", "config", "context"]);

function adviceFor(id: string, known: Iterable<string>): string {
  if (outside.has(id)) return "Secrets, settings and variables do not exist in a chain: the tool that needs one declares it.";
  return `The steps are ${listOf(known)}; the chain's own input is "input".`;
}

/** Steps that wait for each other, the first one again at the end. */
function circleAmong(steps: readonly ReadStep[], waitsFor: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const inside = new Set(steps.map(({ id }) => id));
  const path: string[] = [];
  let id = steps[0]!.id;
  while (!path.includes(id)) {
    path.push(id);
    id = [...waitsFor.get(id)!].find((one) => inside.has(one))!;
  }
  return [...path.slice(path.indexOf(id)), id];
}
