import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type Issue, type Validator, validatorFor } from "@toolrack/json-schema";
import { isObject, type JsonObject, nameOf, plainParser, pointerOf } from "@toolrack/json-schema/internal";
import { errorStatus } from "../errors.ts";
import { describeInvalidInput } from "./invalid-input.ts";
import type { CallMeta, ToolFailure } from "./result.ts";
import { privateCopy } from "../util/private-copy.ts";
import { inputParserOf, type Pins, pinsOf, type ToolDefinition } from "./tool.ts";

/** The handler's input, or every issue of the given one. */
export type ReadInput = { readonly issues: undefined; readonly value: unknown } | { readonly issues: readonly Issue[] };

export type InputReader = (input: unknown) => ReadInput | Promise<ReadInput>;

/**
 * Reads the input of one tool: checked against its schema, then with defaults filled in a copy, or as the Standard Schema makes it
 * that the tool was defined from. Asynchronous only if that schema is.
 */
export function createInputReader(tool: ToolDefinition): InputReader {
  const pins = pinsOf(tool);
  return pins === undefined ? createOwnReader(tool) : createPinnedReader(tool, pins);
}

function createOwnReader(tool: ToolDefinition): InputReader {
  const validator = validatorFor(tool.inputSchema);
  const original = inputParserOf(tool);
  if (original === undefined) {
    return (input) => readPlain(validator, input);
  }
  const parse = original === "plain" ? plainParser(tool.inputSchema) : original;
  return (input) => {
    const read: ReadInput = validator.check(input) ? { issues: undefined, value: input } : readPlain(validator, input);
    if (read.issues !== undefined) return read;
    const parsed = parse(read.value);
    return "then" in parsed ? parsed.then(fromStandardResult) : fromStandardResult(parsed);
  };
}

/**
 * An input of a tool against its schema. A property that is required and has a default may be left out: it is filled in, and the whole is
 * checked again. What is wrong beyond that is reported about the filled input.
 */
export function readPlain(validator: Validator, input: unknown): ReadInput {
  if (validator.check(input)) return { issues: undefined, value: validator.fill(input) };
  const issues = validator.explain(input);
  if (!issues.some(({ keyword }) => keyword === "required")) return { issues };
  const value = validator.fill(input);
  if (value === input) return { issues };
  return validator.check(value) ? { issues: undefined, value } : { issues: validator.explain(value) };
}

/** Reads a whole input: its visible part as callers have to give it, and all of it, with what is pinned, as the tool underneath takes it. */
function createPinnedReader(tool: ToolDefinition, pins: Pins): InputReader {
  const shown = validatorFor(tool.inputSchema);
  const readOwn = createInputReader(pins.own);
  return (input) => {
    const visible = isObject(input) ? entriesOf(input, (name) => !pins.withheld.has(name)) : input;
    const read = readPlain(shown, visible);
    if (read.issues !== undefined) return read;
    // A schema may allow a text besides an object, and nothing can be pinned in a text.
    if (!isObject(input)) return { issues: [noObject] };
    // Copied, because a handler may change its input.
    const whole = Object.fromEntries([...Object.entries(input), ...Object.entries(privateCopy(pins.values))]);
    const own = readOwn(whole);
    return own instanceof Promise ? own.then((later) => forCallers(later, pins)) : forCallers(own, pins);
  };
}

const noObject: Issue = {
  path: "",
  keyword: "type",
  message: "The input must be an object.",
  expected: "an object",
  received: "another value",
};

/** Entries, because `__proto__` is an ordinary name. */
export function entriesOf(input: Readonly<JsonObject>, isMeant: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([name]) => isMeant(name)));
}

/** Callers neither see nor give what is withheld, so they read that the operator has to change it, and no value. */
function forCallers(read: ReadInput, { withheld }: Pins): ReadInput {
  if (read.issues === undefined) return read;
  const pointers = [...withheld].map((name) => pointerOf([name]));
  const isWithheld = ({ path }: Issue): boolean => pointers.some((pointer) => path === pointer || path.startsWith(`${pointer}/`));
  return { issues: read.issues.map((issue) => (isWithheld(issue) ? wrongPin : issue)) };
}

const wrongPin: Issue = {
  path: "",
  keyword: "pinned",
  message: "A value that is set here for every call is not valid. The operator has to change the overlay or the configuration of the tool.",
  expected: "another overlay or configuration",
  received: "another value",
};

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
