import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../../../errors.ts";
import { textOfBlocks, type ToolResult, type ToolSuccess } from "../../../tool/result.ts";
import { checkIsList, checkIsTool } from "../../../tool/check-list.ts";
import type { ToolDefinition } from "../../../tool/tool.ts";
import { asImage, type ImageBlock } from "../../format/parts.ts";
import { type CompiledTool, compileTool } from "../compile.ts";
import { wireName } from "../names.ts";
import { providerFor } from "../../providers.ts";
import { checkFields, type Fields, type FieldsOf, method } from "../../../util/check-fields.ts";
import { kindOf } from "../../../util/kind-of.ts";
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

/** A tool under a name and a schema that every model behind a framework takes; the framework's own adapters do the rest. */
export interface FrameworkTool extends Pick<CompiledTool, "schema" | "decode"> {
  readonly tool: ToolDefinition;
  readonly wireName: string;
}

export const frameworkFields: FieldsOf<FrameworkOptions> = { call: method };

/** The tools of a framework's adapter. Throws a ToolError for what is no list, a broken tool, options without `call` and unknown ones. */
export function compileForFramework(
  adapter: string,
  tools: readonly ToolDefinition[],
  options: FrameworkOptions,
  fields: Fields = frameworkFields,
): FrameworkTool[] {
  const refuse = (fact: string): ToolError => new ToolError("DEFINITION_INVALID", `${adapter} ${fact}`);
  checkIsList(tools, adapter);
  if (typeof (options as FrameworkOptions | undefined)?.call !== "function")
    throw refuse(
      "needs a function that runs a tool: { call: (name, input, options) => registry.invoke(name, input, { ...options, caller }) }.",
    );
  checkFields(options, fields, { subject: adapter, word: "option" });
  const provider = providerFor("openai");
  const names = new Set<string>();
  return tools.map((tool, index) => {
    checkIsTool(tool, index, adapter);
    const name = wireName(tool.name, provider.limits);
    if (names.has(name)) throw refuse(`needs tools of different names, and two are called "${tool.name}". Leave one of them out.`);
    names.add(name);
    try {
      const { schema, decode } = compileTool(tool, name, provider, {});
      return { tool, wireName: name, schema, decode };
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      throw new ToolError(error.code, `Tool "${tool.name}": ${error.message}`, { cause: error });
    }
  });
}

/** Calls the tool by the program's own function. Throws RESULT_INVALID for what is not the result of a call. */
export async function callBy(
  { call }: FrameworkOptions,
  name: string,
  input: unknown,
  options: Parameters<CallTool>[2],
): Promise<ToolResult> {
  const result: unknown = await call(name, input, options);
  if (isObject(result) && typeof result["ok"] === "boolean") return result as unknown as ToolResult;
  throw new ToolError(
    "RESULT_INVALID",
    `The function "call", which runs the tool "${name}", returned ${kindOf(result)}, not the result of a call. Return what registry.invoke or executeTool returns.`,
  );
}

/** Calls the tool. A failure is thrown, which is how frameworks learn of it. */
export async function callOrThrow(
  tool: ToolDefinition,
  input: unknown,
  by: FrameworkOptions,
  options: Parameters<CallTool>[2],
): Promise<ToolSuccess> {
  const result = await callBy(by, tool.name, input, options);
  if (!result.ok) throw new ToolError(result.code, result.error, { retryable: result.retryable });
  return result;
}

/** What a model is shown of a result with images, in the order of its blocks. */
export type ResultPart = { readonly type: "text"; readonly text: string } | ({ readonly type: "image" } & ImageBlock);

/** The parts of a result with images that models take; undefined for a result without any, whose text or data says everything. */
export function partsOf({ blocks }: ToolSuccess): ResultPart[] | undefined {
  if (blocks === undefined || !blocks.some(asImage)) return undefined;
  return blocks.map((block) => {
    const image = asImage(block);
    return image === undefined ? { type: "text", text: textOfBlocks([block]) } : { type: "image", ...image };
  });
}
