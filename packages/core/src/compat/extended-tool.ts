import type { JsonSchema } from "@toolrack/json-schema";
import type { CallContext } from "../tool/context.ts";
import { wrapLegacyTool } from "../tool/legacy.ts";
import type { ToolExample, ToolMetadata, ToolOptionality } from "../tool/metadata.ts";
import type { HandlerReturn } from "../tool/result.ts";
import { defineTool, type ToolDefinition } from "../tool/tool.ts";

/** A tool that tells about itself by methods, as in a registry written in Go. */
export interface ExtendedTool {
  Name(): string;
  Description(): string;
  /** May return text, data, or { success, output, data, error, modifiedFiles }. What it throws is the error of the call. */
  // Any: the tool itself says what it takes.
  Execute(context: CallContext, args: any): HandlerReturn | Promise<HandlerReturn>;
  /** Undefined, or nil: nothing is known beside the name and the description. */
  Metadata(): ExtendedToolMetadata | undefined | null;
}

/** Metadata in the spelling of its JSON form, with the schema inside. */
export interface ExtendedToolMetadata {
  readonly schema?: JsonSchema;
  readonly category?: string;
  readonly optionality?: ToolOptionality;
  readonly usage_hint?: string;
  readonly examples?: readonly ToolExample[];
  readonly requires_capabilities?: readonly string[];
}

/** The agent cannot work without the tool. */
export const ToolRequired: ToolOptionality = "required";
/** The tool makes results better, and is not necessary. */
export const ToolOptional: ToolOptionality = "optional";
/** The tool is required while `metadata.when` of its definition holds. */
export const ToolConditional: ToolOptionality = "conditional";

/** A tool from before metadata, in the form of an ExtendedTool. */
export function SimpleExtendedTool(tool: Omit<ExtendedTool, "Metadata">): ExtendedTool {
  return {
    Name: () => tool.Name(),
    Description: () => tool.Description(),
    Execute: (context, args: unknown) => tool.Execute(context, args),
    Metadata: () => undefined,
  };
}

/** The same tool as a definition. Its metadata is read once; without a schema, it takes any arguments. */
export function fromExtendedTool(tool: ExtendedTool): ToolDefinition {
  const { schema, ...metadata } = tool.Metadata() ?? {};
  const read = wrapLegacyTool({
    name: tool.Name(),
    description: tool.Description(),
    ...(Object.keys(metadata).length > 0 && { metadata: metadata as ToolMetadata }),
    execute: (input, context) => tool.Execute(context, input),
  });
  return schema === undefined ? read : defineTool({ ...read, inputSchema: schema });
}
