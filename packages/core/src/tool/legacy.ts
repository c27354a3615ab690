import { type ClassTool, fromClassTool } from "./base-tool.ts";
import type { CallContext } from "./context.ts";
import type { ToolMetadata } from "./metadata.ts";
import type { HandlerReturn } from "./result.ts";
import type { ToolDefinition } from "./tool.ts";

/** A tool from before schemas: it takes any arguments. */
export interface LegacyTool {
  readonly name: string;
  readonly description: string;
  readonly metadata?: ToolMetadata;
  // Any: the tool itself says what it takes.
  readonly execute: (input: any, context: CallContext) => HandlerReturn | Promise<HandlerReturn>;
}

/** Lists and runs like any tool; metadata that it does not declare stays absent rather than guessed. */
export function wrapLegacyTool(tool: LegacyTool): ToolDefinition {
  const { name, description, metadata } = tool;
  const execute: ClassTool["execute"] = (_session, input: unknown, context) => tool.execute(input, context);
  return fromClassTool({ name, description, metadata, parametersSchema: { type: "object" }, execute } as ClassTool);
}
