import { ToolError } from "../../../errors.ts";
import { textOfBlocks, type ToolResult, type ToolSuccess } from "../../../tool/result.ts";
import type { ToolDefinition } from "../../../tool/tool.ts";
import { asImage } from "../../format/parts.ts";
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

/** Calls the tool. A failure is thrown, which is how frameworks learn of it. */
export async function callOrThrow(
  tool: ToolDefinition,
  input: unknown,
  { call }: FrameworkOptions,
  options: Parameters<CallTool>[2],
): Promise<ToolSuccess> {
  const result = await call(tool.name, input, options);
  if (!result.ok) throw new ToolError(result.code, result.error, { retryable: result.retryable });
  return result;
}

/** What a model is shown of a result with images, in the order of its blocks. */
export type ResultPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

/** The parts of a result with images that models take; undefined for a result without any, whose text or data says everything. */
export function partsOf({ blocks }: ToolSuccess): ResultPart[] | undefined {
  if (blocks === undefined || !blocks.some(asImage)) return undefined;
  return blocks.map((block) => {
    const image = asImage(block);
    return image === undefined ? { type: "text", text: textOfBlocks([block]) } : { type: "image", ...image };
  });
}
