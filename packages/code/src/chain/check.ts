import type { JsonSchema } from "@toolrack/json-schema";
import { nearestNames } from "@toolrack/json-schema/internal";
import type { Chain, ChainProblem } from "./chain.ts";
import { checkInput, placeAt } from "./check-input.ts";
import { orderSteps, referencesOf } from "./order.ts";
import { isObject, listOf, maximumProblems, readChain, type ReadStep } from "./read.ts";
import type { Reference } from "./references.ts";
import type { SchemaPlace } from "./schema-fields.ts";

/** What a check wants to know about a tool. */
export interface ChainToolInfo {
  readonly inputSchema?: JsonSchema;
  /** Without it, the fields of its results are not checked. */
  readonly outputSchema?: JsonSchema;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
}

export interface CheckChainOptions {
  /** Undefined for a tool that does not exist. Without it, tools and types are not checked. */
  readonly schemaOf?: (tool: string) => ChainToolInfo | undefined;
  /** Names for the message about a tool that does not exist. */
  readonly toolNames?: () => Iterable<string>;
  /** Of the chain's own input. Without it, references to the input are not checked. */
  readonly inputSchema?: JsonSchema;
}

export interface CheckedChain {
  readonly ok: boolean;
  readonly problems: readonly ChainProblem[];
  /** Ids of steps: those of one level run at the same time. Empty where the order is not known. */
  readonly levels: readonly (readonly string[])[];
  /** Which step waits for which: [the earlier one, the later one]. Empty where the order is not known. */
  readonly edges: readonly (readonly [from: string, to: string])[];
  /** The tools that the steps call, each once. */
  readonly tools: readonly string[];
}

/** Everything that can be known about a chain before it runs: form, order, tools, fields and types. Calls nothing. */
export function checkChain(chain: Chain, options: CheckChainOptions = {}): CheckedChain {
  const { chain: read, problems: faults } = readChain(chain);
  if (read === undefined) return { ok: false, problems: faults, levels: [], edges: [], tools: [] };
  const { levels, waitsFor, problems: disorder } = orderSteps(read);
  const problems = [...disorder];
  const tools = [...new Set(read.steps.map(({ tool }) => tool))];
  const { schemaOf } = options;
  const infos = new Map(tools.map((tool) => [tool, schemaOf?.(tool)]));
  const byId = new Map(read.steps.map((step) => [step.id, step]));
  for (const step of read.steps) {
    const add = (fact: string): void => void problems.push({ step: step.id, message: `Step "${step.id}": ${fact}` });
    const info = infos.get(step.tool);
    if (schemaOf !== undefined && info === undefined) add(noTool(step.tool, options.toolNames?.() ?? []));
    if (step.retries > 0 && info?.destructive === true && info.idempotent !== true)
      add(`"${step.tool}" is destructive and not idempotent, so it must not be called again after a failure. Take retries out.`);
    const resultOf = resultPlaces(byId, infos, options.inputSchema);
    for (const reference of referencesOf(step.input)) {
      const start = resultOf(reference);
      const end = start && placeAt(start, reference.path);
      if (end !== undefined && "fault" in end)
        add(`${reference.text.slice(0, 80)}: ${whoseOf(reference, byId)} ${end.fault}.${nearFix(reference)}`);
    }
    if (info?.inputSchema !== undefined) {
      const target = (reference: Reference): SchemaPlace | undefined => {
        const start = resultOf(reference);
        const end = start && placeAt(start, reference.path);
        return end !== undefined && "place" in end ? end.place : undefined;
      };
      checkInput(step.input, { schema: info.inputSchema, root: info.inputSchema }, { tool: step.tool, resultOf: target, add });
      checkOptional(step, info.inputSchema, options.inputSchema, add);
    }
  }
  const isOrdered = disorder.length === 0;
  return {
    ok: problems.length === 0,
    problems: problems.slice(0, maximumProblems),
    levels: isOrdered ? levels.map((level) => level.map(({ id }) => id)) : [],
    edges: isOrdered ? [...waitsFor].flatMap(([to, needed]) => [...needed].map((from) => [from, to] as const)) : [],
    tools,
  };
}

function noTool(tool: string, names: Iterable<string>): string {
  const [near] = nearestNames(tool, names, 1);
  return `there is no tool "${tool}". ${near === undefined ? "List the tools with: toolrack list" : `Did you mean "${near}"?`}`;
}

function resultPlaces(
  steps: ReadonlyMap<string, ReadStep>,
  infos: ReadonlyMap<string, ChainToolInfo | undefined>,
  inputSchema: JsonSchema | undefined,
): (reference: Reference) => SchemaPlace | undefined {
  return ({ step }) => {
    const producer = steps.get(step);
    const schema = step === "input" ? inputSchema : producer && infos.get(producer.tool)?.outputSchema;
    return schema === undefined ? undefined : { schema, root: schema };
  };
}

function whoseOf({ step, path }: Reference, steps: ReadonlyMap<string, ReadStep>): string {
  const whose = step === "input" ? "the input of the chain" : `the result of "${steps.get(step)?.tool ?? step}"`;
  return path.length <= 1 ? whose : `a part of ${whose}`;
}

function nearFix({ step }: Reference): string {
  return step === "input" ? " Add it to inputSchema, or refer to another field." : " Refer to another field.";
}

/** A property that the tool requires cannot come from an input that callers may leave out. */
function checkOptional(step: ReadStep, toolSchema: JsonSchema, inputSchema: JsonSchema | undefined, add: (fact: string) => void): void {
  if (inputSchema === undefined || step.input.kind !== "object") return;
  const must = new Set(listIn(toolSchema, "required"));
  const sure = new Set(listIn(inputSchema, "required"));
  for (const [name, node] of step.input.entries) {
    const only = node.kind === "text" && node.parts.length === 1 ? node.parts[0] : undefined;
    if (typeof only !== "object" || only.step !== "input" || only.path.length !== 1 || !must.has(name)) continue;
    const field = String(only.path[0]);
    const { properties } = inputSchema as { readonly properties?: unknown };
    if (sure.has(field) || !isObject(properties) || !Object.hasOwn(properties, field)) continue;
    const schema = properties[field];
    if (isObject(schema) && Object.hasOwn(schema, "default")) continue;
    add(
      `input.${name} is required by "${step.tool}", and \${input.${field}} may be left out by callers. Add ${listOf([field])} to required of inputSchema, or give it a default.`,
    );
  }
}

function listIn(schema: JsonSchema, key: string): readonly string[] {
  const list = (schema as Readonly<Record<string, unknown>>)[key];
  return Array.isArray(list) ? (list as string[]) : [];
}
