import { type CallContext, defineTool, type ToolDefinition, ToolError, type ToolMetadata } from "@toolrack/core";
import type { JsonSchema } from "@toolrack/json-schema";
import { runProgram } from "../program/run.ts";
import type { ProgramResult, RunOptions, ToolFunction } from "../program/types.ts";
import type { Chain } from "./chain.ts";
import { checkChain } from "./check.ts";
import { chainMessage } from "./message.ts";
import { chainToProgram } from "./program.ts";

/** Runs a chain over functions, to its end. The result is that of its program; `value` is the result of `returnStep`. */
export async function runChain(chain: Chain, options: RunOptions): Promise<ProgramResult> {
  const { problems } = checkChain(chain, {
    schemaOf: (tool) => (Object.hasOwn(options.tools, tool) ? {} : undefined),
    toolNames: () => Object.keys(options.tools),
  });
  if (problems.length > 0) {
    const message = problems.map((problem) => problem.message).join("\n");
    return { ok: false, error: { kind: "syntax", message, line: 1, column: 1 }, calls: [], labels: [], logs: [], steps: 0, warnings: [] };
  }
  const result = await runProgram(chainToProgram(chain), { input: {}, ...options });
  return result.ok ? result : { ...result, error: { ...result.error, message: chainMessage(result.error.message) } };
}

export interface ChainToolOptions {
  readonly name: string;
  readonly description: string;
  /** Of the chain's own input. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly metadata?: ToolMetadata;
}

/**
 * A tool that runs a chain: each step is a call of the registry, as the caller of the tool. Throws DEFINITION_INVALID for a chain whose form or order is
 * wrong; `checkChain` also compares it with the tools.
 */
export function chainTool(chain: Chain, options: ChainToolOptions): ToolDefinition {
  const { inputSchema } = options;
  const { problems, tools } = checkChain(chain, { inputSchema });
  if (problems.length > 0)
    throw new ToolError("DEFINITION_INVALID", `Tool "${options.name}": ${problems.map(({ message }) => message).join(" ")}`);
  return defineTool({
    ...options,
    async handler(input: unknown, context: CallContext) {
      const functions = tools.map((tool) => [tool, (given: unknown) => callOf(context, tool, given)] as const);
      const result = await runChain(chain, {
        input,
        tools: Object.fromEntries(functions) as Record<string, ToolFunction>,
        signal: context.signal as AbortSignal,
      });
      if (!result.ok) throw new ToolError("TOOL_FAILED", result.error.message);
      return result.value;
    },
  } as ToolDefinition);
}

async function callOf(context: CallContext, tool: string, input: unknown): Promise<unknown> {
  const result = await context.call(tool, input);
  if (result.ok) return result.data ?? result.content;
  throw Object.assign(new Error(result.error), { code: result.code, retryable: result.retryable });
}
