import { isObject, type Place, rewriteSchema } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import type { ToolDefinition } from "../../../tool/tool.ts";
import { aiSdkSchema, type AiSdkSchema, callOrThrow, compileForFramework, type FrameworkOptions } from "./framework.ts";
import type { AbortSignal } from "../../../util/abort-signal.ts";

/** A tool as an agent of Mastra takes it. */
export interface MastraTool {
  readonly id: string;
  readonly description: string;
  readonly inputSchema: MastraSchema;
  /** Keeps Mastra from rewriting the schema for its model. */
  readonly strict: false;
  execute(input: unknown, context?: MastraCall): Promise<unknown>;
}

/** Says its JSON Schema itself, because Mastra loses keywords of others on the way through Zod. Versions before 1 read the form of the AI SDK. */
export interface MastraSchema extends AiSdkSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "toolrack";
    validate(value: unknown): { readonly value: unknown };
    readonly jsonSchema: { input(): object; output(): object };
  };
}

export interface MastraCall {
  readonly abortSignal?: AbortSignal;
  readonly toolCallId?: string;
}

/** Tools for Mastra, by the name under which the model sees them. */
export function toMastra(tools: readonly ToolDefinition[], options: FrameworkOptions): Readonly<Record<string, MastraTool>> {
  return Object.fromEntries(
    tools.map((tool) => {
      const { wireName, schema, decode } = compileForFramework(tool);
      const made: MastraTool = {
        id: wireName,
        description: tool.description,
        inputSchema: mastraSchema(rewriteSchema(schema, withType)),
        strict: false,
        execute: (input, context) =>
          callOrThrow(tool, decode(argumentsIn(input)), options, {
            ...(context?.abortSignal && { signal: context.abortSignal }),
            ...(context?.toolCallId !== undefined && { callId: context.toolCallId }),
          }),
      };
      return [wireName, made];
    }),
  );
}

function mastraSchema(schema: object): MastraSchema {
  const shown = (): object => schema;
  return {
    ...aiSdkSchema(schema),
    "~standard": { version: 1, vendor: "toolrack", validate: (value) => ({ value }), jsonSchema: { input: shown, output: shown } },
  };
}

/** A property without a type would be given every type but "array", and lose its `items`; so its types are said. */
function withType(schema: JsonSchema, place: Place | undefined): JsonSchema {
  if (place?.within?.key !== "properties" || sayingType.some((keyword) => Object.hasOwn(schema, keyword))) return schema;
  const values = Object.hasOwn(schema, "const") ? [schema["const"]] : schema["enum"];
  return {
    ...schema,
    type: Array.isArray(values) ? [...new Set(values.map(typeOf))] : ["string", "number", "boolean", "object", "array", "null"],
  };
}

const sayingType = ["type", "$ref", "anyOf", "oneOf", "allOf"];

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** Versions before 1 wrapped the arguments: { context: arguments, runtimeContext, … }. */
function argumentsIn(input: unknown): unknown {
  return isObject(input) && isObject(input["context"]) && "runtimeContext" in input ? input["context"] : input;
}
