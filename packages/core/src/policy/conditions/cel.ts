import { compilePattern } from "@toolrack/json-schema";
import { loadCel } from "#cel";
import { ToolError } from "../../errors.ts";
import { describeThrown } from "../../tool/result.ts";
import { type CelNode, findCalls, findTextTests, type MethodCall } from "./_cel-tree.ts";
import type { Condition, ConditionEngine } from "./condition.ts";

/** The part of the package that is used: replacing it changes only this file and `_cel-tree.ts`. */
interface CelPackage {
  readonly Environment: new (options: Readonly<Record<string, unknown>>) => CelEnvironment;
}

interface CelEnvironment {
  registerFunction(signature: string, handler: (...values: never[]) => unknown): CelEnvironment;
  parse(text: string): CelExpression;
}

interface CelExpression {
  (variables: unknown): unknown;
  readonly ast: CelNode;
  check(): { readonly valid: boolean; readonly type?: string; readonly error?: Error };
}

/** Conditions in the Common Expression Language. The package is loaded when the first condition is compiled. */
export function createCelEngine(): ConditionEngine {
  let environment: CelEnvironment | undefined;
  return { compile: (text) => compile(text, (environment ??= createEnvironment())) };
}

function createEnvironment(): CelEnvironment {
  let cel: CelPackage;
  try {
    cel = loadCel() as CelPackage;
  } catch (error) {
    const message = `Conditions over arguments need the package ${packageName}, which cannot be loaded. Install it: npm install ${packageName}@8.0.0`;
    throw new ToolError("CONFIG_INVALID", message, { cause: error });
  }
  return new cel.Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: { maxAstNodes: 2_000, maxDepth: 50 },
  }).registerFunction(`string.${linearMatches}(string): bool`, (text: string, pattern: string) => compilePattern(pattern).test(text));
}

const packageName = "@marcbachmann/cel-js";

function compile(text: string, environment: CelEnvironment): Condition {
  const calls = located(text, () => findMatches(environment.parse(text).ast));
  for (const { nameStart, pattern } of calls) if (typeof pattern === "string") assertPattern(pattern, placeIn(text, nameStart));
  const starts = calls.map(({ nameStart }) => nameStart);
  const expression = environment.parse(withLinearMatches(text, starts));
  const { valid, type, error } = expression.check();
  if (!valid) throw withPlace(error ?? new Error("it is not valid"), text, starts);
  if (type !== "bool" && type !== "dyn") throw new Error(`it returns a ${type}, and a condition must return true or false`);
  const evaluate = (variables: unknown): boolean => {
    const value = located(text, () => expression(variables), starts);
    if (typeof value !== "boolean") throw new Error(`The condition ${text} returned neither true nor false.`);
    return value;
  };
  return Object.assign(evaluate, { textTests: findTextTests(expression.ast, (name) => (name === linearMatches ? "matches" : name)) });
}

const linearMatches = "toolrackMatches";

/** All calls of `matches`, from left to right. */
function findMatches(tree: CelNode): readonly MethodCall[] {
  return findCalls(tree, "matches").toSorted((a, b) => a.nameStart - b.nameStart);
}

/** The language's own `matches` backtracks, so a text from a model could stall the process: each call is replaced by one in linear time. */
function withLinearMatches(text: string, starts: readonly number[]): string {
  return starts.reduceRight((rest, start) => rest.slice(0, start) + linearMatches + rest.slice(start + "matches".length), text);
}

function assertPattern(pattern: string, place: string): void {
  try {
    compilePattern(pattern);
  } catch (error) {
    throw new Error(`matches(${JSON.stringify(pattern)}) at ${place}: ${describeThrown(error)}`, { cause: error });
  }
}

/** What is thrown says where in the condition. `starts`: where the condition that runs has another name for `matches`. */
function located<Value>(text: string, action: () => Value, starts: readonly number[] = []): Value {
  try {
    return action();
  } catch (error) {
    throw withPlace(error, text, starts);
  }
}

function withPlace(error: unknown, text: string, starts: readonly number[]): unknown {
  const { range, summary } = error as { range?: { start?: unknown }; summary?: unknown };
  if (typeof range?.start !== "number" || typeof summary !== "string") return error;
  const longer = linearMatches.length - "matches".length;
  const replaced = starts.filter((start, index) => start + index * longer < (range.start as number)).length;
  return new Error(`${summary.replaceAll(linearMatches, "matches")} at ${placeIn(text, range.start - replaced * longer)}`, {
    cause: error,
  });
}

/** "line 1, column 5, before \"&& true\"" */
function placeIn(text: string, position: number): string {
  const before = text.slice(0, position).split("\n");
  const rest = text.slice(position).split("\n")[0]!;
  const near = rest === "" ? "its end" : `before ${JSON.stringify(rest.length > 30 ? `${rest.slice(0, 30)}…` : rest)}`;
  return `line ${before.length}, column ${before.at(-1)!.length + 1}, ${near}`;
}
