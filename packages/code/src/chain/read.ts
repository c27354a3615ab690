import { type Chain, type ChainProblem, type ChainStep, maximumChainCalls, maximumChainDepth, maximumRetries } from "./chain.ts";
import { readText, type TextPart } from "./references.ts";

/** An input with its references found. */
export type InputNode =
  | { readonly kind: "value"; readonly value: string | number | boolean | null }
  /** One part that is a reference keeps the type of its value; everything else is a text. */
  | { readonly kind: "text"; readonly parts: readonly TextPart[] }
  | { readonly kind: "list"; readonly items: readonly InputNode[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [string, InputNode])[] };

/** A step in full. */
export interface ReadStep {
  readonly id: string;
  readonly tool: string;
  readonly input: InputNode;
  readonly dependsOn: readonly string[];
  readonly continueOnError: boolean;
  readonly retries: number;
}

export interface ReadChain {
  readonly steps: readonly ReadStep[];
  readonly returnStep: string;
}

/** A chain of any origin, with all that its form lets one say about it. */
export function readChain(chain: unknown): { readonly chain?: ReadChain; readonly problems: readonly ChainProblem[] } {
  const problems: ChainProblem[] = [];
  const add = (message: string, step?: string): void => {
    if (problems.length < maximumProblems)
      problems.push(step === undefined ? { message } : { step, message: `Step "${step}": ${message}` });
  };
  if (!isObject(chain) || !Array.isArray(own(chain, "steps")) || (own(chain, "steps") as unknown[]).length === 0) {
    add('A chain needs a list of steps: { "steps": [{ "id": "a", "tool": "random", "input": {} }] }.');
    return { problems };
  }
  const { steps, returnStep, continueOnError } = chain as unknown as Chain;
  unknownKeys(chain, chainKeys).forEach((key) => add(`"${key}" is not a field of a chain. The fields are ${chainKeys.join(", ")}.`));
  if (continueOnError !== undefined && typeof continueOnError !== "boolean") add("continueOnError of a chain must be true or false.");
  if (steps.length > maximumChainCalls) {
    add(`The chain has ${steps.length} steps; at most ${maximumChainCalls} can run. Make several chains, or a program with a loop.`);
    return { problems };
  }
  const ids = new Set<string>();
  const read: ReadStep[] = [];
  for (const [index, step] of steps.entries()) {
    const id = isObject(step) ? own(step, "id") : undefined;
    if (typeof id !== "string" || !idPattern.test(id) || id === "input") {
      const shown = typeof id === "string" ? `The id ${JSON.stringify(id.slice(0, 80))}` : "The id";
      const why = id === "input" ? "is the name of the chain's own input. Choose another one" : "must be 1 to 64 letters, digits, _ or -";
      add(`${shown} of step ${index + 1} ${why}.`);
      continue;
    }
    if (ids.has(id)) add("Two steps have this id. Give one of them another id.", id);
    ids.add(id);
    read.push(readStep(step, id, continueOnError === true, add));
  }
  const calls = read.reduce((sum, { retries }) => sum + 1 + retries, 0);
  if (calls > maximumChainCalls)
    add(`With retries, the chain could make ${calls} calls; at most ${maximumChainCalls} can be made. Lower the retries.`);
  const last = read.at(-1)?.id ?? "";
  if (returnStep !== undefined && (typeof returnStep !== "string" || !ids.has(returnStep)))
    add(`returnStep names ${JSON.stringify(String(returnStep).slice(0, 80))}, which is not a step. The steps are ${listOf(ids)}.`);
  return { problems, ...(problems.length === 0 && { chain: { steps: read, returnStep: returnStep ?? last } }) };
}

/** More are of no use to anybody. */
export const maximumProblems = 50;

const idPattern = /^[A-Za-z_][\w-]{0,63}$/;
const toolPattern = /^[A-Za-z0-9_.:/-]{1,128}$/;
const chainKeys = ["steps", "returnStep", "continueOnError"];
const stepKeys = ["id", "tool", "input", "dependsOn", "continueOnError", "retries"];

type Add = (message: string, step?: string) => void;

function readStep(step: ChainStep, id: string, continueByDefault: boolean, add: Add): ReadStep {
  const { tool, dependsOn = [], continueOnError, retries = 0 } = step;
  for (const key of unknownKeys(step, stepKeys)) add(`"${key}" is not a field of a step. The fields are ${stepKeys.join(", ")}.`, id);
  if (typeof tool !== "string" || !toolPattern.test(tool))
    add("tool must be the name of a tool, as a text without references. Programs can choose a tool while they run.", id);
  const areIds = Array.isArray(dependsOn) && dependsOn.every((one) => typeof one === "string");
  if (!areIds) add("dependsOn must be a list of ids of steps.", id);
  if (continueOnError !== undefined && typeof continueOnError !== "boolean") add("continueOnError must be true or false.", id);
  const isCount = Number.isInteger(retries) && retries >= 0 && retries <= maximumRetries;
  if (!isCount) add(`retries must be a whole number from 0 to ${maximumRetries}.`, id);
  return {
    id,
    tool: String(tool),
    input: readInput(own(step, "input") ?? {}, "input", id, add, 0),
    dependsOn: areIds ? dependsOn : [],
    continueOnError: continueOnError ?? continueByDefault,
    retries: isCount ? retries : 0,
  };
}

function readInput(value: unknown, at: string, id: string, add: Add, depth: number): InputNode {
  const nothing: InputNode = { kind: "value", value: null };
  if (depth > maximumChainDepth) {
    add(`${at.slice(0, 80)}… is nested more than ${maximumChainDepth} deep. Make it flatter.`, id);
    return nothing;
  }
  if (value === null || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)))
    return { kind: "value", value };
  if (typeof value === "string") {
    const read = readText(value);
    if (!read.ok) add(`${at}: ${read.fault}`, id);
    return read.ok ? { kind: "text", parts: read.parts } : nothing;
  }
  if (Array.isArray(value))
    return { kind: "list", items: value.map((one, index) => readInput(one, `${at}[${index}]`, id, add, depth + 1)) };
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, one]) => {
      if (key === "__proto__") add(`${at} has the key "__proto__", which no tool can be given. Take it out.`, id);
      if (key.includes("${")) add(`${at} has a key with a reference. Only values can hold references.`, id);
      return [key, readInput(one, `${at}.${key}`, id, add, depth + 1)] as const;
    });
    return { kind: "object", entries };
  }
  add(`${at} is not JSON. Use texts, numbers, true, false, null, lists and objects.`, id);
  return nothing;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

function unknownKeys(value: object, known: readonly string[]): readonly string[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => key.slice(0, 80));
}

/** "a", "b" and 3 more */
export function listOf(names: Iterable<string>): string {
  const all = [...names].map((one) => `"${one}"`);
  if (all.length === 0) return "none";
  return all.length <= 8 ? all.join(", ") : `${all.slice(0, 8).join(", ")} and ${all.length - 8} more`;
}
