import type { JsonSchema } from "@toolrack/json-schema";
import type { Progress } from "./context.ts";
import type { HandlerReturn } from "./result.ts";
import { defineTool, type ToolDefinition } from "./tool.ts";

/**
 * The shape of agent libraries whose tools have `parameters` and `execute`.
 * `execute` takes the parameters alone, or (callId, parameters, signal, onUpdate); which one is told by how many it declares.
 */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  // Any: parameters are checked by the schema when the tool is called.
  readonly execute: (...args: any[]) => HandlerReturn | Promise<HandlerReturn>;
  readonly label?: string;
  readonly ownerOnly?: boolean;
}

export function fromAgentTool(tool: AgentTool): ToolDefinition {
  const takesCallId = tool.execute.length >= 2;
  return defineTool({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.parameters,
    handler: (input, context) =>
      takesCallId
        ? tool.execute(context.callId, input, context.signal, (update: unknown) => context.progress(toProgress(update)))
        : tool.execute(input),
    ...(tool.label !== undefined && { title: tool.label }),
    ...(tool.ownerOnly === true && { metadata: { ownerOnly: true } }),
  });
}

function toProgress(update: unknown): Progress {
  return { message: typeof update === "string" ? update : (JSON.stringify(update) ?? "") };
}
