import type { ToolDefinition } from "../../../tool/tool.ts";
import { aiSdkSchema, type AiSdkSchema, callOrThrow, compileForFramework, type FrameworkOptions } from "./framework.ts";
import type { AbortSignal } from "../../../util/abort-signal.ts";

/** What `generateText({ tools })` of the package ai takes, from version 5 on. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: AiSdkSchema;
  execute(input: unknown, options?: { readonly toolCallId?: string; readonly abortSignal?: AbortSignal }): Promise<unknown>;
}

/** Tools for the AI SDK, by the name under which the model sees them. */
export function toAiSdk(tools: readonly ToolDefinition[], options: FrameworkOptions): Readonly<Record<string, AiSdkTool>> {
  return Object.fromEntries(
    tools.map((tool) => {
      const { wireName, schema, decode } = compileForFramework(tool);
      const made: AiSdkTool = {
        description: tool.description,
        inputSchema: aiSdkSchema(schema),
        execute: (input, call) =>
          callOrThrow(tool, decode(input), options, {
            ...(call?.abortSignal && { signal: call.abortSignal }),
            ...(call?.toolCallId !== undefined && { callId: call.toolCallId }),
          }),
      };
      return [wireName, made];
    }),
  );
}
