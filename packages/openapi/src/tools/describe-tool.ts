import { defineTool, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { describeOpenApiTool } from "./described.ts";

/** A tool by which a model reads the whole description of an operation, where at least one was shortened; undefined where none was. */
export function createDescribeTool(
  tools: readonly ToolDefinition[],
  prefix: string | undefined,
  current: () => readonly ToolDefinition[],
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
    handler: ({ name }: { readonly name: string }) => {
      const tool = current().find((one) => one.name === name);
      if (tool === undefined) throw new ToolInputError(`No operation of this API is called "${name.slice(0, 80)}".`);
      const { method, path, description } = describeOpenApiTool(tool);
      return `${method} ${path}\n\n${description}`;
    },
  }) as ToolDefinition;
}
