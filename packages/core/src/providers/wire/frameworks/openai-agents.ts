import type { ToolDefinition } from "../../../tool/tool.ts";
import { readArguments } from "../../format/parts.ts";
import { asText, compileForFramework, type FrameworkOptions } from "./framework.ts";
import type { AbortSignal } from "../../../util/abort-signal.ts";

/** A `FunctionTool` of @openai/agents. */
export interface OpenAIAgentsTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
  readonly strict: false;
  invoke(
    context: unknown,
    input: string,
    details?: { readonly toolCall?: { readonly callId?: string }; readonly signal?: AbortSignal },
  ): Promise<string>;
  needsApproval(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
}

/** Tools for the OpenAI Agents SDK. A failure is answered as text, so that the model can try again. */
export function toOpenAIAgents(tools: readonly ToolDefinition[], options: FrameworkOptions): readonly OpenAIAgentsTool[] {
  return tools.map((tool) => {
    const { wireName, schema, decode } = compileForFramework(tool);
    return {
      type: "function",
      name: wireName,
      description: tool.description,
      parameters: schema,
      strict: false,
      async invoke(_context, input, details) {
        const read = readArguments(input);
        if (read.error !== undefined) return `Error: ${read.error}`;
        const callId = details?.toolCall?.callId;
        const result = await options.call(tool.name, decode(read.input), {
          ...(details?.signal && { signal: details.signal }),
          ...(callId !== undefined && { callId }),
        });
        return result.ok ? asText(result.data ?? result.content) : `Error: ${result.error}`;
      },
      needsApproval: () => Promise.resolve(false),
      isEnabled: () => Promise.resolve(true),
    };
  });
}
