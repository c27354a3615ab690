import type { Chain } from "./chain.ts";
import { orderSteps, referencesOf } from "./order.ts";
import { type InputNode, readChain, type ReadStep } from "./read.ts";
import type { Reference } from "./references.ts";

/**
 * The chain as a program: `input` is its input, and the steps of a level are one `Promise.all`.
 * Throws a TypeError for a chain that `checkChain` refuses without knowing any tool.
 */
export function chainToProgram(chain: Chain): string {
  const { chain: read, problems } = readChain(chain);
  const order = read && orderSteps(read);
  const [first] = [...problems, ...(order?.problems ?? [])];
  if (read === undefined || order === undefined || first !== undefined) throw new TypeError(first?.message ?? "This is not a chain.");
  const names = new Map(read.steps.map(({ id }, index) => [id, `s${index}`]));
  const softSteps = softOnes(order.levels);
  const lines = order.levels.flatMap((level) => [
    `const [${level.map(({ id }) => names.get(id)).join(", ")}] = await Promise.all([`,
    ...level.map((step) => `  ${callOf(step, names, softSteps)},`),
    "]);",
  ]);
  const result = names.get(read.returnStep)!;
  return [
    helpers,
    ...lines,
    ...(softSteps.has(read.returnStep) ? [`if (!${result}.ok) throw ${result}.error;`] : []),
    `return ${result}.value;`,
  ].join("\n");
}

/**
 * `read` fails by reading a field of nothing, not by a `throw` of its own: so a later step does not take the labels of a value that was there.
 * Errors that say the same of every attempt are not tried again: the input is wrong, the caller may not, a person refused.
 */
const helpers = `const read = (at, reference, value) => {
  at.reference = reference;
  const there = value === undefined || typeof value === "function" ? undefined : {};
  at.read = there.value;
  at.reference = undefined;
  return value;
};
const text = (value) => (typeof value === "string" ? value : JSON.stringify(value));
const run = async (id, retries, call) => {
  for (let left = retries; ; left--) {
    const at = {};
    try {
      return { ok: true, value: await call(at) };
    } catch (error) {
      if (left > 0 && (error.retryable === true || error.code === "TOOL_FAILED")) continue;
      if (at.reference !== undefined) throw new Error("Step \\"" + id + "\\": " + at.reference + " has no value: there is nothing at this place. Refer to a field that is always there.");
      error.message = "Step \\"" + id + "\\": " + error.message;
      throw error;
    }
  }
};
const soft = (outcome) => outcome.catch((error) => ({ ok: false, error }));
const skipped = (id, needed, failed) => ({ ok: false, error: new Error("Step \\"" + id + "\\" was skipped, because it refers to step \\"" + needed + "\\": " + failed.error.message) });`;

/** Steps that may end without a value while the chain goes on: those that say so, and those that refer to one of them. */
function softOnes(levels: readonly (readonly ReadStep[])[]): ReadonlySet<string> {
  const soft = new Set<string>();
  for (const level of levels)
    for (const step of level)
      if (step.continueOnError || [...referencesOf(step.input)].some(({ step: id }) => soft.has(id))) soft.add(step.id);
  return soft;
}

function callOf(step: ReadStep, names: ReadonlyMap<string, string>, softSteps: ReadonlySet<string>): string {
  const { id, tool, input, retries, continueOnError } = step;
  const call = `run(${quote(id)}, ${retries}, (at) => tools[${quote(tool)}](${sourceOf(input, names)}))`;
  const needed = [...new Set([...referencesOf(input)].map(({ step: other }) => other))].filter((other) => softSteps.has(other));
  const checks = needed.map((other) => `!${names.get(other)}.ok ? skipped(${quote(id)}, ${quote(other)}, ${names.get(other)}) : `);
  return `${checks.join("")}${continueOnError ? `soft(${call})` : call}`;
}

function sourceOf(node: InputNode, names: ReadonlyMap<string, string>, mayLack = false): string {
  if (node.kind === "value") return JSON.stringify(node.value);
  if (node.kind === "list") return `[${node.items.map((item) => sourceOf(item, names)).join(", ")}]`;
  if (node.kind === "object")
    return `{ ${node.entries.map(([key, value]) => `${quote(key)}: ${sourceOf(value, names, true)}`).join(", ")} }`;
  const [first = ""] = node.parts;
  if (node.parts.length === 1) return typeof first === "string" ? quote(first) : readOf(first, names, mayLack);
  return node.parts.map((part) => (typeof part === "string" ? quote(part) : `text(${readOf(part, names, false)})`)).join(" + ");
}

/** A property that is one optional field of the input is left out with it. */
function readOf({ step, path, text }: Reference, names: ReadonlyMap<string, string>, mayLack: boolean): string {
  const from = step === "input" ? "input" : `${names.get(step)}.value`;
  const value = `${from}${path.map((key) => `?.[${JSON.stringify(key)}]`).join("")}`;
  return step === "input" && mayLack ? value : `read(at, ${quote(text)}, ${value})`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
