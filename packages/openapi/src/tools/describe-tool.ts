import { type Caller, defineTool, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { describeOpenApiTool, wholeDescriptionOf } from "./described.ts";

/** The tool that a caller may use under a name; undefined for one that is hidden from it, or that nobody serves. */
export type ServedTool = (name: string, caller: Caller) => ToolDefinition | undefined;

export interface DescribeOperationOptions {
  /** Begins its name, as that of the other tools. */
  readonly prefix?: string | undefined;
  /** The operations as they were read last. @default the given tools */
  readonly current?: () => readonly ToolDefinition[];
  /**
   * Asked before anything is described: an operation is described under the name by which the caller has it, and only while it is served with the
   * description that was read. @default every operation, to every caller that may use this tool
   */
  readonly served?: ServedTool | undefined;
}

/** A tool by which a model reads the whole description of an operation, where at least one was shortened; undefined where none was. */
export function createDescribeOperation(
  tools: readonly ToolDefinition[],
  { prefix, current = () => tools, served }: DescribeOperationOptions = {},
): ToolDefinition | undefined {
  if (tools.every((tool) => wholeDescriptionOf(tool) === undefined)) return undefined;
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
      const tool = served === undefined ? current().find((one) => one.name === name) : asServed(served(name, caller), current());
      if (tool === undefined) throw new ToolInputError(`No operation of this API is called "${name.slice(0, 80)}".`);
      const { method, path, description } = describeOpenApiTool(tool);
      return `${method} ${path}\n\n${description}`;
    },
  }) as ToolDefinition;
}

/** The operation behind a tool, if it is served as it was read: what waits for a person, or was described otherwise, is not shown by another way. */
function asServed(served: ToolDefinition | undefined, operations: readonly ToolDefinition[]): ToolDefinition | undefined {
  if (served === undefined) return undefined;
  const read = operations.find(({ handler }) => handler === served.handler);
  return read?.description === served.description ? read : undefined;
}
