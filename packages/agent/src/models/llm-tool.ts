import { defineTool, type ToolDefinition, ToolError } from "@toolrack/core";
import type { Model, ModelEnd, ModelFailure } from "../model.ts";

export interface LlmToolOptions {
  /** @default "llm" */
  readonly name?: string;
  /** What the other model is good for. @default asks a language model */
  readonly description?: string;
  /** What the model is told before each prompt. @default nothing */
  readonly instructions?: string;
  /** The most that a caller may ask for. @default 8_192 */
  readonly maxOutputTokens?: number;
  /** @default 130_000 */
  readonly timeoutMs?: number;
}

/** A model as a tool: a prompt in; its text, the tokens that it used and what it cost, out. */
export function llmTool(model: Model, options: LlmToolOptions = {}): ToolDefinition {
  const { name = "llm", instructions = "", maxOutputTokens: most = 8_192, timeoutMs = 130_000 } = options;
  return defineTool({
    name,
    title: "Ask a model",
    description: options.description ?? `Sends a prompt to the language model ${model.name} and answers its reply.`,
    inputSchema: {
      type: "object",
      properties: {
        prompt: {
          type: "string",
          minLength: 1,
          maxLength: 400_000,
          description: "What the model is asked. It knows nothing of this conversation.",
        },
        instructions: { type: "string", maxLength: 100_000, description: "How it should answer." },
        max_tokens: { type: "integer", minimum: 1, maximum: most, description: "At most this many tokens in the reply." },
      },
      required: ["prompt"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        text: { type: "string", description: "The reply." },
        model: { type: "string", description: "The model that gave it." },
        cut_off: { type: "boolean", description: "Whether the limit of tokens ended it." },
        usage: {
          type: "object",
          properties: { input_tokens: { type: "integer" }, output_tokens: { type: "integer" }, cached_tokens: { type: "integer" } },
          required: ["input_tokens", "output_tokens"],
        },
        cost: { type: "number", description: "The estimated cost in US dollars, if the price is known." },
      },
      required: ["text", "model", "usage"],
    },
    metadata: {
      category: "utility",
      optionality: "optional",
      examples: [{ description: "One question", input: { prompt: "Say hello." }, usage: "result.text" }],
      annotations: { readOnly: true, idempotent: false, openWorld: true },
      limits: { timeoutMs, maxResultBytes: 1_048_576, concurrency: 20 },
      groups: ["utility"],
    },
    async handler({ prompt, instructions: asked, max_tokens: limit = most }, { signal }) {
      const end = await endOf(model, {
        instructions: [instructions, asked ?? ""].filter((part) => part !== "").join("\n\n"),
        messages: [{ role: "user", content: prompt, from: { kind: "agent" } }],
        maxOutputTokens: limit,
        signal,
      });
      if (end.stop === "cancelled") throw new ToolError("ABORTED", `The request to the model "${model.name}" was given up.`);
      if (end.stop === "failed" || end.stop === "refused") throw toToolError(end.failure, model.name);
      return toAnswer(end, model.name);
    },
  });
}

async function endOf(model: Model, request: Parameters<Model["stream"]>[0]): Promise<ModelEnd> {
  for await (const event of model.stream(request)) if (event.type === "end") return event;
  throw new ToolError("TOOL_FAILED", `The model "${model.name}" ended without an end.`);
}

interface LlmAnswer {
  readonly text: string;
  readonly model: string;
  readonly cut_off?: boolean;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number; readonly cached_tokens?: number };
  readonly cost?: number;
}

function toAnswer({ message, stop, usage }: ModelEnd, model: string): LlmAnswer {
  const { inputTokens, outputTokens, cachedTokens, costUsd } = usage;
  return {
    text: message.content,
    model,
    ...(stop === "length" && { cut_off: true }),
    usage: { input_tokens: inputTokens, output_tokens: outputTokens, ...(cachedTokens !== undefined && { cached_tokens: cachedTokens }) },
    ...(costUsd !== undefined && { cost: costUsd }),
  };
}

function toToolError(failure: ModelFailure | undefined, model: string): ToolError {
  const { message, status, retryable, retryAfterMs } = failure ?? { message: `The model "${model}" failed.`, retryable: false };
  const code = status === 429 ? "RATE_LIMITED" : status === 401 || status === 403 ? "NEEDS_CONFIGURATION" : "TOOL_FAILED";
  return new ToolError(code, message, { retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) });
}
