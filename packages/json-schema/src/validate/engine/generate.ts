import { SchemaError } from "../../errors.ts";
import { Fault } from "../issues.ts";
import type { Located, Resources } from "./resources.ts";
import type { Rule } from "./rule.ts";
import { Unwritable, Writer } from "./writer.ts";

export type Check = (value: unknown) => boolean;
export type Explain = (value: unknown, issues: Fault[]) => void;

/** Compiles the verdict, or the list of faults, of a schema. Undefined where code cannot be made: the rules alone then decide. */
export function generateCheck(resources: Resources, ruleFor: (located: Located) => Rule, withFormats: boolean): Check | undefined {
  return compile(
    resources,
    new Writer(resources, ruleFor, withFormats),
    (writer) => `(v) => { steps = budget.steps = 0; return ${writer.check(resources.root)}(v); }`,
  );
}

export function generateExplain(resources: Resources, ruleFor: (located: Located) => Rule, withFormats: boolean): Explain | undefined {
  return compile(
    resources,
    new Writer(resources, ruleFor, withFormats),
    (writer) => `(v, e) => { steps = budget.steps = 0; ${writer.explain(resources.root)}(v, [], e); }`,
  );
}

function compile<Compiled>(resources: Resources, writer: Writer, entry: (writer: Writer) => string): Compiled | undefined {
  try {
    const main = entry(writer);
    // Code keeps no account of the way that led to a schema. Asked last, because writing may bring in further documents.
    if (resources.isDynamic()) return undefined;
    const text = `"use strict"; let steps = 0;\n${writer.functions.join("\n")}\nreturn ${main};`;
    return new Function("x", "budget", "Issue", "tooLong", text)(writer.externals, writer.budget, Fault, tooLong) as Compiled;
  } catch (error) {
    // EvalError: the host forbids making code from text.
    if (error instanceof Unwritable || error instanceof EvalError) return undefined;
    throw error;
  }
}

function tooLong(): never {
  throw new SchemaError("SCHEMA_INVALID", "The schema takes too long to check: its alternatives multiply. Simplify it.");
}
