import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type Issue, nameOf, pointerOf } from "../schema/issues.ts";
import { validatorFor } from "../schema/validate.ts";
import { describeInvalidInput } from "./invalid-input.ts";
import { type CallMeta, failure, type ToolFailure } from "./result.ts";
import { inputParserOf, type ToolDefinition } from "./tool.ts";

/** The handler's input, or every fault of what came. */
export type ReadInput = { readonly issues: undefined; readonly value: unknown } | { readonly issues: readonly Issue[] };

export type InputReader = (input: unknown) => ReadInput | Promise<ReadInput>;

/**
 * Reads the input of one tool: checked against its schema, defaults filled in a copy, then passed through the Standard Schema
 * it was defined from where that does more. Asynchronous only if that schema is.
 */
export function createInputReader(tool: ToolDefinition): InputReader {
  const validator = validatorFor(tool.inputSchema);
  const parse = inputParserOf(tool);
  if (parse === undefined) {
    return (input) => (validator.check(input) ? { issues: undefined, value: validator.fill(input) } : { issues: validator.explain(input) });
  }
  return (input) => {
    if (!validator.check(input)) return { issues: validator.explain(input) };
    const parsed = parse(validator.fill(input));
    return parsed instanceof Promise ? parsed.then(fromStandardResult) : fromStandardResult(parsed);
  };
}

export function refuseInput(tool: ToolDefinition, issues: readonly Issue[], meta: CallMeta): ToolFailure {
  return failure("INPUT_INVALID", describeInvalidInput(tool, issues), meta, { issues });
}

function fromStandardResult(result: StandardSchemaV1.Result<unknown>): ReadInput {
  if (result.issues === undefined) return { issues: undefined, value: result.value };
  return { issues: result.issues.map(fromStandardIssue) };
}

function fromStandardIssue(issue: StandardSchemaV1.Issue): Issue {
  const path = (issue.path ?? []).map((part) => {
    const key = typeof part === "object" ? part.key : part;
    return typeof key === "number" ? key : String(key);
  });
  return { path: pointerOf(path), keyword: "refine", message: `${nameOf(path)}: ${issue.message}`, expected: issue.message, received: "another value" };
}
