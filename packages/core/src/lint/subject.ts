import { fromStandardSchema, isStandardSchema } from "@toolrack/json-schema";
import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import type { VendorTarget } from "../providers/providers.ts";
import { describeThrown } from "../tool/result.ts";
import { type AnyTool, readTool } from "../tool/shapes.ts";
import { hiddenTextOf, inputParserOf, type ToolDefinition } from "../tool/tool.ts";
import { type LocatedSchema, locateSchemas } from "./located-schemas.ts";

/** A tool as the rules see it. Whatever is missing or of the wrong kind is absent. */
export interface LintSubject {
  readonly name?: string;
  readonly version?: string;
  readonly description: string;
  readonly input?: JsonObject;
  /** Every schema inside the input schema, itself first. */
  readonly inputs: readonly LocatedSchema[];
  /** The properties of the input at every depth, each once, however many conditions speak of it. */
  readonly properties: readonly LocatedSchema[];
  /** The outermost of them. */
  readonly parameters: readonly LocatedSchema[];
  readonly output?: JsonObject;
  readonly outputs: readonly LocatedSchema[];
  readonly metadata: JsonObject;
  /** Absent where a schema of another library changes the input, so that the handler is given something else than `input` describes. */
  readonly handler?: LintedHandler;
  /** What was taken out of its texts when it was read: "description: U+202E". */
  readonly hidden: readonly string[];
  /** Why the tool would be refused when it is registered. */
  readonly refusal?: string;
  /** Documents that a `$ref` may name, by URI. */
  readonly remotes: Readonly<Record<string, unknown>>;
  /** The vendors that the tool is meant for. */
  readonly vendors: readonly VendorTarget[];
}

/** The function that does a tool's work. */
export interface LintedHandler {
  // Any function: the shapes of tools differ in their parameters.
  readonly run: (...given: never[]) => unknown;
  /** Which of its parameters is the tool's input, from 0. */
  readonly inputAt: number;
}

/** What the rules know beside the tool. */
export type LintSurroundings = Pick<LintSubject, "remotes" | "vendors">;

/** Reads every shape of tool that can be registered, and of any other value what can be read. Never throws. */
export function readSubject(shape: unknown, { remotes, vendors }: LintSurroundings): LintSubject {
  let fields: JsonObject;
  let refusal: string | undefined;
  let handler: LintedHandler | undefined;
  try {
    const tool = readTool(shape as AnyTool);
    fields = tool as unknown as JsonObject;
    handler = handlerOf(shape, tool);
  } catch (error) {
    refusal = describeThrown(error);
    fields = readFields(shape);
  }
  const input = plainSchema(fields["inputSchema"] ?? fields["parameters"] ?? fields["parametersSchema"]);
  const output = plainSchema(fields["outputSchema"]);
  const inputs = locateSchemas(input, `/${inputField(shape)}`);
  return {
    ...(typeof fields["name"] === "string" && { name: fields["name"] }),
    ...(typeof fields["version"] === "string" && { version: fields["version"] }),
    description: typeof fields["description"] === "string" ? fields["description"] : "",
    ...(input && { input }),
    inputs,
    properties: firstOfEach(inputs.filter((located) => located.property !== undefined)),
    parameters: inputs.filter((located) => located.property !== undefined && located.parent === inputs[0]),
    ...(output && { output }),
    outputs: locateSchemas(output, "/outputSchema"),
    metadata: isObject(fields["metadata"]) ? fields["metadata"] : {},
    ...(handler && { handler }),
    hidden: hiddenTextOf(fields),
    ...(refusal !== undefined && { refusal }),
    remotes,
    vendors,
  };
}

/** The author's own function, not what another shape of tool was wrapped in. */
function handlerOf(shape: unknown, tool: ToolDefinition): LintedHandler | undefined {
  if (typeof inputParserOf(tool) === "function") return undefined;
  const execute = readField(shape, "execute");
  if (typeof execute !== "function" || readField(shape, "handler") !== undefined) return { run: tool.handler, inputAt: 0 };
  const isSecond = readField(shape, "parametersSchema") !== undefined || readField(shape, "label") !== undefined;
  return { run: execute as LintedHandler["run"], inputAt: isSecond ? 1 : 0 };
}

function firstOfEach(found: readonly LocatedSchema[]): LocatedSchema[] {
  return [...new Map(found.toReversed().map((located) => [located.label, located])).values()].toReversed();
}

const fieldNames = ["name", "version", "description", "inputSchema", "parameters", "parametersSchema", "outputSchema", "metadata"] as const;

function readFields(shape: unknown): JsonObject {
  const fields: JsonObject = {};
  for (const name of fieldNames) fields[name] = readField(shape, name);
  return fields;
}

function readField(shape: unknown, name: string): unknown {
  try {
    return isObject(shape) ? shape[name] : undefined;
  } catch {
    return undefined;
  }
}

/** Where the shape that was given keeps its input schema. */
function inputField(shape: unknown): string {
  return ["inputSchema", "parameters", "parametersSchema"].find((name) => readField(shape, name) !== undefined) ?? "inputSchema";
}

function plainSchema(schema: unknown): JsonObject | undefined {
  try {
    const plain = isStandardSchema(schema) ? fromStandardSchema(schema).schema : schema;
    return isObject(plain) ? plain : undefined;
  } catch {
    return undefined;
  }
}
