import type { ShapeFields } from "./_shape-fields.ts";
import { type ClassTool, fromClassTool } from "./base-tool.ts";
import type { CallContext } from "./context.ts";
import type { HandlerReturn } from "./result.ts";
import type { ToolDefinition } from "./tool.ts";

/** A tool from before schemas: it takes any arguments. */
export interface LegacyTool extends ShapeFields {
  readonly name: string;
  readonly description: string;
  // Any: the tool itself says what it takes.
  readonly execute: (input: any, context: CallContext) => HandlerReturn | Promise<HandlerReturn>;
}

/** Lists and runs like any tool; what it does not declare stays absent rather than guessed. */
export function wrapLegacyTool(tool: LegacyTool): ToolDefinition {
  const { name, description, version, outputSchema, metadata, ownerOnly } = tool;
  const execute: ClassTool["execute"] = (_session, input: unknown, context) => tool.execute(input, context);
  const fields = { name, description, version, outputSchema, metadata, ownerOnly, parametersSchema: { type: "object" }, execute };
  return fromClassTool(fields as object as ClassTool);
}
