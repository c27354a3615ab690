import type { JsonSchema } from "@toolrack/json-schema";
import { ToolError } from "../errors.ts";
import { type ShapeFields, shapeFields } from "./_shape-fields.ts";
import type { CallContext, Progress } from "./context.ts";
import type { ContentBlock, HandlerReturn } from "./result.ts";
import { defineTool, type ToolDefinition } from "./tool.ts";

/** The shape of agent libraries whose tools have `parameters` and `execute`. A `label` tells which of the two forms of `execute` it has. */
export type AgentTool = PlainAgentTool | LabelledAgentTool;

/** What `execute` of such a tool returns. The details are the data of the result; the blocks are what a model sees. */
export interface AgentToolResult<Details = unknown> {
  readonly content: readonly ContentBlock[];
  readonly details?: Details;
}

interface AgentToolFields extends ShapeFields {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** `execute` takes the parameters, and nothing else. */
interface PlainAgentTool extends AgentToolFields {
  readonly label?: undefined;
  // Any: parameters are checked by the schema when the tool is called.
  readonly execute: (parameters: any) => HandlerReturn | Promise<HandlerReturn>;
}

/** `execute` is given the id of the call first. */
interface LabelledAgentTool extends AgentToolFields {
  readonly label: string;
  readonly execute: (
    callId: string,
    parameters: any,
    signal: AbortSignal,
    onUpdate: (update: unknown) => void,
  ) => HandlerReturn | Promise<HandlerReturn>;
}

/** Throws DEFINITION_INVALID for an `execute` without a label that declares more than its parameters: nobody can tell what they are. */
export function fromAgentTool(tool: AgentTool): ToolDefinition {
  const { name, description, parameters, label, execute } = tool;
  if (label === undefined && execute.length > 1) throw new ToolError("DEFINITION_INVALID", ambiguous(name, execute.length));
  const draft = {
    name,
    description,
    title: label,
    inputSchema: parameters,
    handler: (input: unknown, context: CallContext): HandlerReturn | Promise<HandlerReturn> =>
      tool.label === undefined
        ? tool.execute(input)
        : tool.execute(context.callId, input, context.signal, (update: unknown) => context.progress(toProgress(update))),
    ...shapeFields(tool),
  };
  return defineTool(draft as object as ToolDefinition);
}

function ambiguous(name: string, count: number): string {
  const fact = `Tool "${name}": execute declares ${count} parameters, which may be (callId, parameters) or (parameters, options).`;
  const fix = "Add a label if it takes a call id; take over tools of the AI SDK with fromAiSdk of @toolrack/core/vendors";
  return `${fact} ${fix}; otherwise write handler: (input, context) => result.`;
}

function toProgress(update: unknown): Progress {
  return { message: typeof update === "string" ? update : (JSON.stringify(update) ?? "") };
}
