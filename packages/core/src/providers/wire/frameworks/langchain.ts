import { isObject } from "@toolrack/json-schema/internal";
import type { ToolDefinition } from "../../../tool/tool.ts";
import { asText, callOrThrow, compileForFramework, type FrameworkOptions } from "./framework.ts";
import type { AbortSignal } from "../../../util/abort-signal.ts";

/** The part of LangChain's `StructuredToolInterface` that models, agents and `ToolNode` use. */
export interface LangChainTool {
  readonly lc_namespace: readonly string[];
  readonly lc_serializable: false;
  /** Agents run only tools that say so, and take the others for tools of the vendor. */
  readonly lc_runnable: true;
  readonly name: string;
  readonly description: string;
  readonly schema: object;
  readonly returnDirect: false;
  invoke(input: unknown, config?: { readonly signal?: AbortSignal }): Promise<string>;
  getName(): string;
}

/** Tools for LangChain and LangGraph. `invoke` takes the arguments, or a whole tool call. */
export function toLangChain(tools: readonly ToolDefinition[], options: FrameworkOptions): readonly LangChainTool[] {
  return tools.map((tool) => {
    const { wireName, schema, decode } = compileForFramework(tool);
    return {
      lc_namespace: ["toolrack", "tools"],
      lc_serializable: false,
      lc_runnable: true,
      name: wireName,
      description: tool.description,
      schema,
      returnDirect: false,
      getName: () => wireName,
      async invoke(input, config) {
        const isCall = isObject(input) && input["type"] === "tool_call" && "args" in input;
        const callId = isCall && typeof input["id"] === "string" ? input["id"] : undefined;
        return asText(
          await callOrThrow(tool, decode(isCall ? input["args"] : input), options, {
            ...(config?.signal && { signal: config.signal }),
            ...(callId !== undefined && { callId }),
          }),
        );
      },
    };
  });
}
