import { isObject, type Place, rewriteSchema } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import type { ToolDefinition } from "../../../tool/tool.ts";
import type { AbortSignal } from "../../../util/abort-signal.ts";
import { aiSdkSchema, type AiSdkSchema } from "./_ai-sdk-schema.ts";
import { partsOfOutput, toOutput } from "./_parts-output.ts";
import { callOrThrow, compileForFramework, type FrameworkOptions } from "./framework.ts";

/** A tool as an agent of Mastra takes it. */
export interface MastraTool {
  id: string;
  description: string;
  /** Says its JSON Schema itself, because Mastra loses keywords of others on the way through Zod. Versions before 1 read the form of the AI SDK. */
  inputSchema: AiSdkSchema;
  /** Keeps Mastra from rewriting the schema for its model. */
  strict: false;
  // Any: data, text, or { content, details } for a result with images; what the registry validates is what the model sent.
  execute(input: any, context?: MastraCall): Promise<any>;
  /** What the model is shown of an output with images; undefined for another, which it is shown as it is. */
  toModelOutput(output: unknown): unknown;
}

export interface MastraCall {
  readonly abortSignal?: AbortSignal | undefined;
  readonly toolCallId?: string | undefined;
  /** Where versions from 1 on keep what belongs to a call of an agent. */
  readonly agent?: { readonly toolCallId?: string | undefined } | undefined;
}

/** Tools for Mastra, by the name under which the model sees them. */
export function toMastra(tools: readonly ToolDefinition[], options: FrameworkOptions): Record<string, MastraTool> {
  return Object.fromEntries(
    compileForFramework("toMastra", tools, options).map(({ tool, wireName, schema, decode }) => {
      const made: MastraTool = {
        id: wireName,
        description: tool.description,
        inputSchema: aiSdkSchema(rewriteSchema(schema, withType)),
        strict: false,
        async execute(input, context) {
          const callId = context?.toolCallId ?? context?.agent?.toolCallId;
          return toOutput(
            await callOrThrow(tool, decode(argumentsIn(input)), options, {
              ...(context?.abortSignal && { signal: context.abortSignal }),
              ...(callId !== undefined && { callId }),
            }),
          );
        },
        toModelOutput(output) {
          const parts = partsOfOutput(output);
          if (parts === undefined) return undefined;
          const value = parts.map((part) => (part.type === "text" ? part : { type: "media", data: part.data, mediaType: part.mimeType }));
          return { type: "content", value };
        },
      };
      return [wireName, made];
    }),
  );
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
