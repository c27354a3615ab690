import type { JsonSchema } from "@toolrack/json-schema";
import { isolatedContext } from "./_isolated-context.ts";
import { createInputReader, refuseInput } from "./input.ts";
import { readReturned } from "./read-returned.ts";
import { type CallMeta, failure, toFailure, type ToolResult } from "./result.ts";
import type { ToolDefinition } from "./tool.ts";

/** The first tool with exactly this name. */
export function findTool<Tool extends { readonly name: string }>(tools: readonly Tool[], name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name);
}

export interface ApiTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema;
}

/** The list a model is given: name, description and schema, nothing else. */
export function exportForApi(tools: readonly ToolDefinition[]): ApiTool[] {
  return tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }));
}

/** Validates the input, runs the handler and returns its result. Never rejects, not even for a tool that `findTool` did not find. */
export async function executeTool(tool: ToolDefinition | undefined, input: unknown): Promise<ToolResult> {
  const started = performance.now();
  const context = isolatedContext();
  if (tool === undefined) {
    const meta: CallMeta = { callId: context.callId, tool: "", durationMs: performance.now() - started };
    return failure("TOOL_NOT_FOUND", "There is no such tool. Call one of the tools that the model was given.", meta);
  }
  const meta = (): CallMeta => ({
    callId: context.callId,
    tool: tool.name,
    ...(tool.version !== undefined && { version: tool.version }),
    durationMs: performance.now() - started,
  });
  try {
    const read = await createInputReader(tool)(input);
    if (read.issues !== undefined) return refuseInput(tool, read.issues, meta());
    const { signal, progress } = context;
    return await readReturned(await tool.handler(read.value, context), { signal, progress, meta });
  } catch (thrown) {
    return toFailure(thrown, meta());
  }
}

export type { ToolDefinition };
export type { ToolResult };
