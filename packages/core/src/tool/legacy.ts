import { fromSuccessForm } from "./_success-form.ts";
import type { CallContext } from "./context.ts";
import type { ToolMetadata } from "./metadata.ts";
import type { HandlerReturn } from "./result.ts";
import { ownMetadata } from "./snake-case.ts";
import { defineTool, type ToolDefinition } from "./tool.ts";

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
  return defineTool({
    name: tool.name,
    description: tool.description,
    inputSchema: { type: "object" },
    ...ownMetadata(tool),
    handler: async (input: Record<string, unknown>, context) => fromSuccessForm(await tool.execute(input, context)),
  });
}
