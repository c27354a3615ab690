import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type Issue, validatorFor } from "@toolrack/json-schema";
import { nameOf, plainParser, pointerOf } from "@toolrack/json-schema/internal";
import { errorStatus } from "../errors.ts";
import { describeInvalidInput } from "./invalid-input.ts";
import type { CallMeta, ToolFailure } from "./result.ts";
import { inputParserOf, type ToolDefinition } from "./tool.ts";

/** The handler's input, or every issue of the given one. */
export type ReadInput = { readonly issues: undefined; readonly value: unknown } | { readonly issues: readonly Issue[] };

export type InputReader = (input: unknown) => ReadInput | Promise<ReadInput>;

/**
 * Reads the input of one tool: checked against its schema, then with defaults filled in a copy, or as the Standard Schema makes it
 * that the tool was defined from. Asynchronous only if that schema is.
 */
export function createInputReader(tool: ToolDefinition): InputReader {
  const validator = validatorFor(tool.inputSchema);
  const original = inputParserOf(tool);
  if (original === undefined) {
    return (input) => (validator.check(input) ? { issues: undefined, value: validator.fill(input) } : { issues: validator.explain(input) });
  }
  const parse = original === "plain" ? plainParser(tool.inputSchema) : original;
  return (input) => {
    if (!validator.check(input)) return { issues: validator.explain(input) };
    const parsed = parse(input);
    return "then" in parsed ? parsed.then(fromStandardResult) : fromStandardResult(parsed);
  };
}

export function refuseInput(tool: ToolDefinition, issues: readonly Issue[], meta: CallMeta): ToolFailure {
  const error = describeInvalidInput(tool, issues);
  return { ok: false, error, code: "INPUT_INVALID", status: errorStatus.INPUT_INVALID, issues, retryable: false, meta };
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
  return {
    path: pointerOf(path),
    keyword: "refine",
    message: `${nameOf(path)}: ${issue.message}`,
    expected: issue.message,
    received: "another value",
  };
}
