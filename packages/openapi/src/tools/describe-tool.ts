import { type Caller, defineTool, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { describeOpenApiTool } from "./described.ts";

export interface DescribeOperationOptions {
  /** Begins its name, as that of the other tools. */
  readonly prefix?: string | undefined;
  /** The tool with a name, as it was read; undefined for one that must not be described to this caller. @default one of the given tools */
  readonly find?: (name: string, caller: Caller) => ToolDefinition | undefined;
}

/** A tool by which a model reads the whole description of an operation, where at least one was shortened; undefined where none was. */
export function createDescribeOperation(
  tools: readonly ToolDefinition[],
  { prefix, find = (name) => tools.find((tool) => tool.name === name) }: DescribeOperationOptions = {},
): ToolDefinition | undefined {
  if (!tools.some((tool) => tool.description !== describeOpenApiTool(tool).description)) return undefined;
  const base = prefix === undefined ? "describe_operation" : `${prefix}_describe_operation`;
  const free = (name: string): string => (tools.some((tool) => tool.name === name) ? free(`${name}_`) : name);
  return defineTool({
    name: free(base),
    description: "The whole description of a tool whose own description ends with “…”.",
    inputSchema: {
      type: "object",
      properties: { name: { type: "string", description: "The name of the tool." } },
      required: ["name"],
      additionalProperties: false,
    },
    metadata: { annotations: { readOnly: true, idempotent: true } },
    handler: ({ name }: { readonly name: string }, { caller }) => {
      const tool = find(name, caller);
      if (tool === undefined) throw new ToolInputError(`No operation of this API is called "${name.slice(0, 80)}".`);
      const { method, path, description } = describeOpenApiTool(tool);
      return `${method} ${path}\n\n${description}`;
    },
  }) as ToolDefinition;
}
