import { compilePattern } from "@toolrack/json-schema";
import { loadCel } from "#cel";
import { ToolError } from "../../errors.ts";
import { describeThrown } from "../../tool/result.ts";
import { type CelNode, findCalls, findTextTests } from "./_cel-tree.ts";
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
  const expression = environment.parse(withLinearMatches(text, environment.parse(text).ast));
  const { valid, type, error } = expression.check();
  if (!valid) throw error ?? new Error("it is not valid");
  if (type !== "bool" && type !== "dyn") throw new Error(`it returns a ${type}, and a condition must return true or false`);
  const evaluate = (variables: unknown): boolean => {
    const value = expression(variables);
    if (typeof value !== "boolean") throw new Error(`The condition ${text} returned neither true nor false.`);
    return value;
  };
  return Object.assign(evaluate, { textTests: findTextTests(expression.ast, (name) => (name === linearMatches ? "matches" : name)) });
}

const linearMatches = "toolrackMatches";

/** The language's own `matches` backtracks, so a text from a model could stall the process: each call is replaced by one in linear time. */
function withLinearMatches(text: string, tree: CelNode): string {
  const calls = findCalls(tree, "matches").toSorted((a, b) => b.nameStart - a.nameStart);
  let rewritten = text;
  for (const { nameStart, pattern } of calls) {
    if (typeof pattern === "string") assertPattern(pattern);
    rewritten = rewritten.slice(0, nameStart) + linearMatches + rewritten.slice(nameStart + "matches".length);
  }
  return rewritten;
}

function assertPattern(pattern: string): void {
  try {
    compilePattern(pattern);
  } catch (error) {
    throw new Error(`matches(${JSON.stringify(pattern)}): ${describeThrown(error)}`, { cause: error });
  }
}
