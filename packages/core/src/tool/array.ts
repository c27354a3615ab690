import type { JsonSchema } from "@toolrack/json-schema";
import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import { checkIsList, checkIsTool, toolProblem } from "./check-list.ts";
import { isolatedContext } from "./_isolated-context.ts";
import { createInputReader, refuseInput } from "./input.ts";
import { missingService } from "./needed-services.ts";
import { type CallMeta, failure, toFailure, type ToolResult } from "./result.ts";
import { readReturned } from "./read-returned.ts";
import { defaultTimeoutMs, timeoutReason, tookTooLong, withinTime } from "./time-limit.ts";
import { isDefinedTool, type ToolDefinition } from "./tool.ts";

/** The first tool with exactly this name. */
export function findTool<Tool extends { readonly name: string }>(tools: readonly Tool[], name: string): Tool | undefined {
  checkIsList(tools, "findTool");
  return tools.find((tool) => tool.name === name);
}

export interface ApiTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema;
}

/** The list a model is given: name, description and schema, nothing else. Throws DEFINITION_INVALID for an item that is no tool. */
export function exportForApi(tools: readonly ToolDefinition[]): ApiTool[] {
  checkIsList(tools, "exportForApi");
  return tools.map((tool, index) => {
    checkIsTool(tool, index, "exportForApi");
    const { name, description, inputSchema } = tool;
    if (!isObject(inputSchema)) throw new ToolError("DEFINITION_INVALID", noSchema(name, inputSchema));
    return { name, description, input_schema: inputSchema };
  });
}

function noSchema(name: string, given: unknown): string {
  const fact = given === undefined ? "has no inputSchema" : "has an inputSchema that is not a JSON Schema";
  return `exportForApi: tool "${name.slice(0, 64)}" ${fact}. Make the tool with defineTool, which takes JSON Schema, Zod and other Standard Schemas.`;
}

/**
 * Validates the input, runs the handler and returns its result. Never rejects, not even for a tool that `findTool` did not find. A handler that
 * has not finished within the tool's `limits.timeoutMs`, five minutes by default, is answered as TIMEOUT, and its signal is aborted.
 */
export async function executeTool(tool: ToolDefinition<any, unknown, undefined> | undefined, input: unknown): Promise<ToolResult> {
  const started = performance.now();
  const ending = new AbortController();
  const context = isolatedContext(ending.signal);
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
  const problem = isDefinedTool(tool) ? undefined : toolProblem(tool);
  if (problem !== undefined) return failure("DEFINITION_INVALID", `executeTool: the tool ${problem}`, meta());
  const missing = missingService(tool, undefined, "executeTool");
  if (missing !== undefined)
    return failure("SERVICE_MISSING", `${missing} Register the tool with createRegistry({ services }), and call it there.`, meta());
  try {
    const read = await createInputReader(tool)(input);
    if (read.issues !== undefined) return refuseInput(tool, read.issues, meta());
    const { signal, progress } = context;
    const run = async (): Promise<ToolResult> => readReturned(await tool.handler(read.value, context), { signal, progress, meta });
    const timeoutMs = tool.metadata?.limits?.timeoutMs ?? defaultTimeoutMs;
    if (timeoutMs === false) return await run();
    return await withinTime(run(), timeoutMs, () => {
      ending.abort(timeoutReason(timeoutMs));
      return failure("TIMEOUT", tookTooLong(tool.name, timeoutMs), meta(), { retryable: true });
    });
  } catch (thrown) {
    return toFailure(thrown, meta());
  }
}

export type { ToolDefinition };
export type { ToolResult };
