import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type InputParser, isStandardSchema, type JsonSchema } from "@toolrack/json-schema";
import {
  checkDialect,
  describeValue,
  isObject,
  type JsonObject,
  readSchemaShape,
  standardParser,
  standardShape,
} from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import type { InferInput } from "./infer-input.ts";
import type { OutputBound, OutputOf, Returned } from "./infer-output.ts";
import { createDefinitionCleaner, type DefinitionCleaner, type HiddenText } from "./clean-definition.ts";
import { checkDefinition, isPlain } from "./check-definition.ts";
import { findMisspelling, findRawShape } from "./check-schema.ts";
import type { CallContext } from "./context.ts";
import { type ServiceNames, type ToolMetadata, copyMetadata } from "./metadata.ts";
import { keptPathPlace } from "./path-place.ts";
import { keptRegistration } from "./registered.ts";
import type { HandlerReturn } from "./result.ts";

/** A tool: plain data plus one handler, frozen. */
// Any: a tool of any input and any services fits wherever tools are listed.
export interface ToolDefinition<Input = any, Output = unknown, Services = any> {
  /** 1–128 of [A-Za-z0-9_.-] */
  readonly name: string;
  readonly description: string;
  /** An object schema. */
  readonly inputSchema: JsonSchema;
  readonly handler: (input: Input, context: CallContext<Services>) => HandlerReturn<Output> | Promise<HandlerReturn<Output>>;
  readonly title?: string;
  /** semver; several versions may be registered side by side. */
  readonly version?: string;
  readonly outputSchema?: JsonSchema;
  readonly metadata?: ToolMetadata;
}

/**
 * What `defineTool` takes: the schemas may be Standard Schemas, and the handler's input and output follow from them. The services that it
 * needs are those of its context: `handler(input, context: CallContext<{ db: Database }>)`.
 */
export interface ToolDraft<InputSchema, Output, Services, OutputSchema = undefined> extends Omit<
  ToolDefinition,
  "inputSchema" | "outputSchema" | "handler" | "metadata"
> {
  readonly inputSchema: InputSchema;
  readonly outputSchema?: OutputSchema;
  readonly handler: (
    input: InferInput<InputSchema>,
    context: CallContext<Services>,
  ) => Returned<OutputSchema, Output> | Promise<Returned<OutputSchema, Output>>;
  readonly metadata?: ToolMetadata & ServiceNames<NoInfer<Services>>;
}

const defined = new WeakSet<object>();
/** The Standard Schemas that input schemas were made from, until a tool is called, and then what is left of them; a copy of a tool has its schema. */
const parsers = new WeakMap<object, StandardSchemaV1 | InputParser | "plain">();
const hiddenTexts = new WeakMap<object, readonly HiddenText[]>();
/** By the schema that is shown, so that a copy of a tool has its pins as well. */
const pinsBySchema = new WeakMap<object, Pins>();

/**
 * Gives a literal its type, checks it and freezes it.
 * A wrong definition throws a ToolError that names the tool, the field and the fix.
 */
export function defineTool<
  const InputSchema extends object,
  const Output extends OutputBound<OutputSchema> = any,
  Services = unknown,
  const OutputSchema extends object | undefined = undefined,
>(
  draft: ToolDraft<InputSchema, Output, Services, OutputSchema>,
): ToolDefinition<InferInput<InputSchema>, OutputOf<OutputSchema, Output>, NoInfer<Services>> {
  type Defined = ToolDefinition<InferInput<InputSchema>, OutputOf<OutputSchema, Output>, Services>;
  const given = draft as object as Defined;
  try {
    return defined.has(given) ? given : (define(given) as Defined);
  } catch (error) {
    // The stack begins at the line that defines the tool, instead of ending before it. A frozen error is one of other code.
    if (ToolError.is(error) && Object.isExtensible(error)) Error.captureStackTrace?.(error, defineTool);
    throw error;
  }
}

function define(draft: ToolDefinition): ToolDefinition {
  checkDefinition(draft);
  const { name, description, handler, title, version } = draft;
  const clean = createDefinitionCleaner(name);
  const inputSchema = cleaned(clean, objectSchema(convert(draft.inputSchema, "inputSchema", name), name), "inputSchema");
  const outputSchema =
    draft.outputSchema === undefined
      ? undefined
      : cleaned(clean, readAs("outputSchema", convert(draft.outputSchema, "outputSchema", name), name), "outputSchema");
  const metadata = draft.metadata === undefined ? undefined : clean.value(copyMetadata(draft.metadata, name), "metadata");
  const tool = Object.freeze({
    name,
    description: clean.text(description, "description"),
    inputSchema,
    // The handler of a class reads its state.
    handler: isPlain(draft) ? handler : handler.bind(draft),
    ...(title !== undefined && { title: clean.text(title, "title") }),
    ...(version !== undefined && { version }),
    ...(outputSchema !== undefined && { outputSchema }),
    ...(metadata !== undefined && { metadata }),
    ...keptRegistration(draft),
    ...keptPathPlace(draft),
  });
  defined.add(tool);
  if (clean.found.length > 0) hiddenTexts.set(tool, clean.found);
  if (isStandardSchema(draft.inputSchema)) parsers.set(inputSchema, draft.inputSchema);
  return tool;
}

/** True for a value that `defineTool` made: checked, and frozen throughout. */
export function isDefinedTool(value: unknown): value is ToolDefinition {
  return typeof value === "object" && value !== null && defined.has(value);
}

/** The hidden characters that were removed from a tool's texts when it was defined, one line for each text. */
export function hiddenTextOf(tool: object): readonly HiddenText[] {
  return hiddenTexts.get(tool) ?? [];
}

/** What the Standard Schema that a tool was defined from makes of an input; "plain" as in `plainParser`. */
export function inputParserOf(tool: ToolDefinition): InputParser | "plain" | undefined {
  const kept = parsers.get(tool.inputSchema);
  if (!isStandardSchema(kept)) return kept;
  const parse = standardParser(kept);
  parsers.set(tool.inputSchema, parse);
  return parse;
}

/**
 * What an operator holds back from the callers of a tool. They see `inputSchema` of the tool and are checked against it; the whole input,
 * which everything after that check sees, is what the tool underneath takes.
 */
export interface Pins {
  /** The tool as its source has it. */
  readonly own: ToolDefinition;
  /** What every call has, whatever its caller gives. */
  readonly values: Readonly<JsonObject>;
  /** The parameters that no caller gives: those with a value here, and those that are hidden. */
  readonly withheld: ReadonlySet<string>;
}

/** A tool whose `inputSchema` shows less than the tool underneath takes. Give it a schema of its own: pins belong to the schema. */
export function withPins(shown: ToolDefinition, pins: Pins): ToolDefinition {
  pinsBySchema.set(shown.inputSchema, pins);
  return shown;
}

export function pinsOf(tool: ToolDefinition): Pins | undefined {
  return pinsBySchema.get(tool.inputSchema);
}

/** The same tool with some fields changed: a new frozen value, without checking again what did not change. */
export function changeTool(
  tool: ToolDefinition,
  change: Partial<Pick<ToolDefinition, "handler" | "inputSchema" | "metadata" | "name">>,
): ToolDefinition {
  const changed = Object.freeze({ ...tool, ...change });
  defined.add(changed);
  const found = hiddenTexts.get(tool);
  if (found !== undefined) hiddenTexts.set(changed, found);
  const parse = parsers.get(tool.inputSchema);
  if (parse !== undefined) parsers.set(changed.inputSchema, parse);
  const pins = pinsOf(tool);
  return pins === undefined ? changed : withPins(changed, pins);
}

function cleaned(clean: DefinitionCleaner, schema: JsonSchema, field: string): JsonSchema {
  const shown = clean.value(schema, field);
  return shown === schema ? schema : readSchemaShape(shown);
}

function convert(schema: unknown, field: string, name: string): unknown {
  if (!isStandardSchema(schema)) {
    refuse(findRawShape(schema), field, name);
    return schema;
  }
  try {
    return standardShape(schema);
  } catch (error) {
    throw inField(error, field, name);
  }
}

function readAs(field: string, schema: unknown, name: string): JsonSchema {
  try {
    const read = readSchemaShape(schema);
    checkDialect(read);
    refuse(findMisspelling(read), field, name);
    return read;
  } catch (error) {
    throw inField(error, field, name);
  }
}

function refuse(fact: string | undefined, field: string, name: string): void {
  if (fact !== undefined) throw new ToolError("DEFINITION_INVALID", `Tool "${name}": ${field}${fact}`);
}

/** An error of a schema, with the tool and the field that has it. */
export function inField(error: unknown, field: string, name: string): unknown {
  if (!ToolError.is(error) || error.code === "DEFINITION_INVALID") return error;
  return new ToolError(error.code, `Tool "${name}", ${field}: ${error.message}`, { cause: error });
}

function objectSchema(schema: unknown, name: string): JsonSchema {
  const read = isObject(schema) ? readAs("inputSchema", schema, name) : undefined;
  const type = read?.["type"] ?? "object";
  if (read !== undefined && (Array.isArray(type) ? type : [type]).includes("object")) return read;
  const given = read === undefined ? describeValue(schema) : JSON.stringify(type);
  throw new ToolError(
    "DEFINITION_INVALID",
    `Tool "${name}": inputSchema must be a JSON Schema of type "object", such as { type: "object", properties: {} }, not ${given}.`,
  );
}
