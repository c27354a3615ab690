import type { ToolDefinition } from "../../../tool/tool.ts";
import { isObject } from "../../../util/json.ts";
import { aiSdkSchema, type AiSdkSchema, callOrThrow, compileForFramework, type FrameworkOptions } from "./_shared.ts";

/** A tool as Mastra's `createTool` makes it; its schema is in the form that Mastra shares with the AI SDK. */
export interface MastraTool {
  readonly id: string;
  readonly description: string;
  readonly inputSchema: AiSdkSchema;
  execute(input: unknown, context?: { readonly abortSignal?: AbortSignal }): Promise<unknown>;
}

/** Tools for Mastra, by the name under which the model sees them. */
export function toMastra(tools: readonly ToolDefinition[], options: FrameworkOptions): Readonly<Record<string, MastraTool>> {
  return Object.fromEntries(
    tools.map((tool) => {
      const { wireName, schema, decode } = compileForFramework(tool);
      const made: MastraTool = {
        id: wireName,
        description: tool.description,
        inputSchema: aiSdkSchema(schema),
        execute: (input, context) =>
          callOrThrow(tool, decode(argumentsIn(input)), options, context?.abortSignal ? { signal: context.abortSignal } : {}),
      };
      return [wireName, made];
    }),
  );
}

/** Versions before 1 wrapped the arguments: { context: arguments, runtimeContext, … }. */
function argumentsIn(input: unknown): unknown {
  return isObject(input) && isObject(input["context"]) && "runtimeContext" in input ? input["context"] : input;
}
