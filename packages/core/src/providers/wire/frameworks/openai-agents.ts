import type { ToolDefinition } from "../../../tool/tool.ts";
import type { AbortSignal } from "../../../util/abort-signal.ts";
import { dataUrl, readArguments } from "../../format/parts.ts";
import { callBy, compileForFramework, type FrameworkOptions, partsOf } from "./framework.ts";

/** A `FunctionTool` of @openai/agents. */
export interface OpenAIAgentsTool {
  type: "function";
  name: string;
  description: string;
  // Any: @openai/agents asks for `required` and a yes or no in `additionalProperties`, and sends to the model what is there.
  parameters: { type: "object"; properties: any; required: any; additionalProperties: any };
  strict: false;
  invoke(context: unknown, input: string, details?: OpenAIAgentsCall): Promise<string | OpenAIAgentsPart[]>;
  needsApproval(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
}

export interface OpenAIAgentsCall {
  readonly toolCall?: { readonly callId?: string };
  readonly signal?: AbortSignal;
}

/** One part of a result with images. */
export type OpenAIAgentsPart = { type: "text"; text: string } | { type: "image"; image: string };

/** Tools for the OpenAI Agents SDK. A failure is answered as text, so that the model can try again. */
export function toOpenAIAgents(tools: readonly ToolDefinition[], options: FrameworkOptions): OpenAIAgentsTool[] {
  return compileForFramework("toOpenAIAgents", tools, options).map(({ tool, wireName, schema, decode }) => {
    return {
      type: "function",
      name: wireName,
      description: tool.description,
      parameters: schema as unknown as OpenAIAgentsTool["parameters"],
      strict: false,
      async invoke(_context, input, details) {
        const read = readArguments(input);
        if (read.error !== undefined) return `Error: ${read.error}`;
        const callId = details?.toolCall?.callId;
        const result = await callBy(options, tool.name, decode(read.input), {
          ...(details?.signal && { signal: details.signal }),
          ...(callId !== undefined && { callId }),
        });
        if (!result.ok) return `Error: ${result.error}`;
        return partsOf(result)?.map((part) => (part.type === "text" ? part : { type: "image", image: dataUrl(part) })) ?? result.content;
      },
      needsApproval: () => Promise.resolve(false),
      isEnabled: () => Promise.resolve(true),
    };
  });
}
