import { ToolError } from "../../../errors.ts";
import type { ToolResult } from "../../../tool/result.ts";
import type { ToolDefinition } from "../../../tool/tool.ts";
import { type CompiledTool, compileTool } from "../compile.ts";
import { wireName } from "../names.ts";
import { providerFor } from "../../providers.ts";
import type { AbortSignal } from "../../../util/abort-signal.ts";

/** How a framework's tools are run: `registry.invoke`, or anything like it. */
export type CallTool = (
  name: string,
  input: unknown,
  options: { readonly signal?: AbortSignal; readonly callId?: string },
) => Promise<ToolResult>;

export interface FrameworkOptions {
  readonly call: CallTool;
}

/** A tool under a name and a schema that every model behind a framework takes; the framework's own adapters do the rest. Throws for a broken tool. */
export function compileForFramework(tool: ToolDefinition): CompiledTool & { readonly wireName: string } {
  const provider = providerFor("openai");
  const name = wireName(tool.name, provider.limits);
  try {
    return { ...compileTool(tool, name, provider, {}), wireName: name };
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    throw new ToolError(error.code, `Tool "${tool.name}": ${error.message}`, { cause: error });
  }
}

/** A schema as `jsonSchema()` of the package ai makes it. It validates nothing: the call does. */
export interface AiSdkSchema {
  readonly [aiSdkMark]: true;
  readonly jsonSchema: object;
  readonly validate: undefined;
}

const aiSdkMark: unique symbol = Symbol.for("vercel.ai.schema") as never;

export function aiSdkSchema(jsonSchema: object): AiSdkSchema {
  return { [aiSdkMark]: true, jsonSchema, validate: undefined };
}

/** Calls the tool and answers what a model should see; a failure is thrown, which is how frameworks learn of it. */
export async function callOrThrow(
  tool: ToolDefinition,
  input: unknown,
  { call }: FrameworkOptions,
  options: Parameters<CallTool>[2],
): Promise<unknown> {
  const result = await call(tool.name, input, options);
  if (!result.ok) throw new ToolError(result.code, result.error, { retryable: result.retryable });
  return result.data ?? result.content;
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
