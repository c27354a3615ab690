import { ToolError } from "../../../errors.ts";
import type { ToolSuccess } from "../../../tool/result.ts";
import type { ToolDefinition } from "../../../tool/tool.ts";
import type { AbortSignal } from "../../../util/abort-signal.ts";
import { type FieldsOf, method, objectWith, required } from "../../../util/check-fields.ts";
import { dataUrl } from "../../format/parts.ts";
import { loadLangChain, type LangChainParts } from "./_load-langchain.ts";
import { callBy, compileForFramework, frameworkFields, type FrameworkOptions, partsOf } from "./framework.ts";

/** A `StructuredToolInterface` of LangChain: what models bind, and agents and `ToolNode` run. */
export interface LangChainTool {
  lc_namespace: string[];
  lc_id: string[];
  lc_serializable: boolean;
  /** Agents run only tools that say so, and take the others for tools of the vendor. */
  lc_runnable: boolean;
  name: string;
  description: string;
  // Any: the JSON Schema of the tool, whose keywords LangChain's type does not all know.
  schema: any;
  returnDirect: boolean;
  getName(): string;
  // Any, here and below: a ToolMessage of your copy of LangChain for a tool call, text or a list of content blocks for arguments.
  /** Takes the arguments, or a whole tool call, which is answered with a `ToolMessage`. */
  invoke(input: any, config?: any): Promise<any>;
  call(input: any, config?: any): Promise<any>;
  batch(inputs: any[], config?: any, options?: any): Promise<any[]>;
  stream(input: any, config?: any): Promise<any>;
  transform(inputs: AsyncGenerator<any>, config: any): AsyncGenerator<any>;
}

export interface LangChainOptions extends FrameworkOptions {
  /**
   * `tool` and `ToolMessage` of LangChain. Give them where packages cannot be imported at run time, as in a bundle.
   * @default imported from @langchain/core when a tool is first run
   */
  readonly langchain?: LangChainParts;
}

const langChainFields: FieldsOf<LangChainOptions> = {
  ...frameworkFields,
  langchain: objectWith({ tool: required(method), ToolMessage: required(method) }),
};

/** Tools for LangChain and LangGraph. LangChain's own `tool` runs them, so that its callbacks and traces see every call. */
export function toLangChain(tools: readonly ToolDefinition[], options: LangChainOptions): LangChainTool[] {
  return compileForFramework("toLangChain", tools, options, langChainFields).map(({ tool, wireName, schema, decode }) => {
    let running: Promise<LangChainTool> | undefined;
    const run = (): Promise<LangChainTool> =>
      (running ??= createRunner({ name: wireName, description: tool.description }, options.langchain, (input, call) =>
        callBy(options, tool.name, decode(input), call),
      ));
    return {
      lc_namespace: ["toolrack", "tools"],
      lc_id: ["toolrack", "tools", wireName],
      lc_serializable: false,
      lc_runnable: true,
      name: wireName,
      description: tool.description,
      schema,
      returnDirect: false,
      getName: () => wireName,
      invoke: async (input, config) => (await run()).invoke(input, config),
      call: async (input, config) => (await run()).invoke(input, config),
      batch: async (inputs, config, batchOptions) => (await run()).batch(inputs, config, batchOptions),
      stream: async (input, config) => (await run()).stream(input, config),
      async *transform(inputs, config) {
        yield* (await run()).transform(inputs, config);
      },
    };
  });
}

/** What LangChain runs for one tool: it takes every input, because the call validates. */
async function createRunner(
  { name, description }: Pick<ToolDefinition, "name" | "description">,
  given: LangChainParts | undefined,
  call: (input: unknown, options: Parameters<FrameworkOptions["call"]>[2]) => ReturnType<FrameworkOptions["call"]>,
): Promise<LangChainTool> {
  const { tool, ToolMessage } = given ?? (await loadLangChain());
  const run = async (input: unknown, config?: LangChainConfig): Promise<readonly [content: unknown, artifact: unknown]> => {
    const callId = config?.toolCall?.id;
    const signal = config?.signal;
    const result = await call(input, { ...(signal && { signal }), ...(callId !== undefined && { callId }) });
    if (result.ok) return [contentOf(result), result.data];
    // An agent ends with an error that is thrown; a message with a status lets the model try again.
    if (callId === undefined || signal?.aborted === true) throw new ToolError(result.code, result.error, { retryable: result.retryable });
    return [new ToolMessage({ name, tool_call_id: callId, status: "error", content: `Error: ${result.error}` }), undefined];
  };
  return tool(run, { name, description, schema: {}, responseFormat: "content_and_artifact" }) as LangChainTool;
}

interface LangChainConfig {
  readonly signal?: AbortSignal;
  readonly toolCall?: { readonly id?: string };
}

/** Text, or content blocks; `image_url` is the form of an image that every chat model of LangChain takes in a tool's message. */
function contentOf(result: ToolSuccess): unknown {
  const parts = partsOf(result);
  return parts?.map((part) => (part.type === "text" ? part : { type: "image_url", image_url: { url: dataUrl(part) } })) ?? result.content;
}
