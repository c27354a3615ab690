import { type ShapeFields, shapeFields } from "./_shape-fields.ts";
import { fromSuccessForm } from "./_success-form.ts";
import type { CallContext } from "./context.ts";
import type { HandlerReturn } from "./result.ts";
import { defineTool, type ToolDefinition } from "./tool.ts";

/** A tool from before schemas: it takes any arguments, and says nothing about itself. */
export interface LegacyTool extends ShapeFields {
  readonly name: string;
  readonly description: string;
  // Any: the tool itself says what it takes.
  readonly execute: (input: any, context: CallContext) => HandlerReturn | Promise<HandlerReturn>;
}

/** Lists and runs like any tool; what it does not say stays absent rather than guessed. */
export function wrapLegacyTool(tool: LegacyTool): ToolDefinition {
  return defineTool({
    name: tool.name,
    description: tool.description,
    inputSchema: { type: "object" },
    handler: async (input: Record<string, unknown>, context) => fromSuccessForm(await tool.execute(input, context)),
    ...shapeFields(tool),
  });
}
