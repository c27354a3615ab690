import { type CallContext, defineTool, type ToolDefinition, ToolError } from "@toolrack/core";
import { callService } from "../operations/service.ts";
import type { UtilityOperations } from "./operations.ts";

export interface OpenrouterOptions {
  /** Where the gateway is; any service with the chat API of OpenAI will do, also one on this machine. @default OpenRouter's own */
  readonly baseUrl?: string;
  /** The secret that holds the key. @default "openrouter-api-key" */
  readonly secret?: string;
}

/** What `tool.config.v1` holds for this tool. */
interface Settings {
  readonly apiKey?: string;
  readonly defaultModel?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly baseUrl?: string;
  /** US dollars for a million tokens, by model. */
  readonly prices?: Readonly<Record<string, { readonly prompt: number; readonly completion: number }>>;
}

export function createOpenrouter(operations: UtilityOperations, options: OpenrouterOptions = {}): ToolDefinition {
  const secret = options.secret ?? "openrouter-api-key";
  return defineTool({
    name: "openrouter",
    title: "Ask a model",
    description:
      "Sends messages to a language model through OpenRouter, or any gateway with the chat API of OpenAI, and answers its reply.",
    inputSchema: {
      type: "object",
      properties: {
        messages: {
          type: "array",
          minItems: 1,
          maxItems: 200,
          description: "The conversation so far.",
          items: {
            type: "object",
            properties: {
              role: { type: "string", enum: ["system", "user", "assistant"], description: "Who says it." },
              content: { type: "string", maxLength: 400_000, description: "What is said." },
            },
            required: ["role", "content"],
            additionalProperties: false,
          },
        },
        model: { type: "string", minLength: 1, maxLength: 200, description: "The model, as provider/name; the configured one if absent." },
        temperature: { type: "number", minimum: 0, maximum: 2, description: "0 is steady, 2 is wild." },
        max_tokens: { type: "integer", minimum: 1, maximum: 1_000_000, description: "At most this many tokens in the reply." },
      },
      required: ["messages"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        content: { type: "string", description: "The generated text." },
        model: { type: "string", description: "The model that said it." },
        finish_reason: { type: "string" },
        usage: {
          type: "object",
          properties: { prompt_tokens: { type: "integer" }, completion_tokens: { type: "integer" }, total_tokens: { type: "integer" } },
        },
        cost_estimate: { type: "number", description: "The estimated cost in US dollars, if the price is known." },
      },
      required: ["content", "model"],
    },
    metadata: {
      category: "utility",
      optionality: "optional",
      usageHint: "For questions to another model, and for large texts.",
      examples: [{ description: "One question", input: { messages: [{ role: "user", content: "Say hello." }] }, usage: "result.content" }],
      annotations: { readOnly: true, idempotent: false, openWorld: true },
      limits: { timeoutMs: 130_000, maxResultBytes: 1_048_576, concurrency: 20 },
      groups: ["utility"],
      requiresCapabilities: ["network"],
      secrets: [secret],
      configSchema: {
        type: "object",
        properties: {
          apiKey: {
            type: "string",
            default: `secret:${secret}`,
            description: `The key: secret:${secret}.`,
            "x-toolrack-secret": true,
          },
          defaultModel: { type: "string", description: "The model for calls that name none: google/gemini-2.5-flash." },
          temperature: { type: "number", minimum: 0, maximum: 2, description: "The default temperature." },
          maxTokens: { type: "integer", minimum: 1, description: "The default maximum number of tokens." },
          baseUrl: { type: "string", description: "Another gateway with the chat API of OpenAI.", "x-toolrack-admin": true },
          prices: {
            type: "object",
            description: "US dollars for a million tokens, by model, for the estimate of costs.",
            additionalProperties: {
              type: "object",
              properties: { prompt: { type: "number", minimum: 0 }, completion: { type: "number", minimum: 0 } },
              required: ["prompt", "completion"],
              additionalProperties: false,
            },
          },
        },
        additionalProperties: false,
      },
    },
    async handler({ messages, model: asked, temperature: warmth, max_tokens }, context) {
      const settings = (context.config ?? {}) as Settings;
      const model = asked ?? settings.defaultModel;
      if (model === undefined)
        throw new ToolError(
          "NEEDS_CONFIGURATION",
          'No model was named. Name one in "model", or save the setting "defaultModel" of "openrouter".',
        );
      const temperature = warmth ?? settings.temperature;
      const tokens = max_tokens ?? settings.maxTokens;
      const service = {
        name: "The model gateway",
        defaultUrl: "https://openrouter.ai/api/v1",
        baseUrl: settings.baseUrl ?? options.baseUrl,
        http: operations.http,
        signal: context.signal,
      };
      const reply = await callService(service, "/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${await keyOf(settings, secret, context)}`, "content-type": "application/json" },
        body: JSON.stringify({
          model,
          messages,
          ...(temperature !== undefined && { temperature }),
          ...(tokens !== undefined && { max_tokens: tokens }),
        }),
      });
      return readReply(reply, model, settings);
    },
  });
}

/** The configuration refers to the key as `secret:<name>`; where the reference is not resolved yet, or not there, it is done here. */
function keyOf({ apiKey }: Settings, secret: string, context: CallContext): Promise<string> | string {
  if (apiKey === undefined) return context.secret(secret);
  return apiKey.startsWith("secret:") ? context.secret(apiKey.slice("secret:".length)) : apiKey;
}

interface Usage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly total_tokens?: number;
  /** What the gateway says that it costs. */
  readonly cost?: number;
}

interface Answer {
  readonly content: string;
  readonly model: string;
  readonly finish_reason?: string;
  readonly usage?: Omit<Usage, "cost">;
  readonly cost_estimate?: number;
}

function readReply(reply: unknown, asked: string, settings: Settings): Answer {
  const { model, choices, usage, error } = (reply ?? {}) as {
    model?: unknown;
    choices?: readonly { message?: { content?: unknown }; finish_reason?: unknown }[];
    usage?: Usage;
    error?: { message?: unknown };
  };
  // Gateways answer 200 and an error where the model behind them failed.
  const problem = typeof error?.message === "string" ? error.message : undefined;
  const choice = Array.isArray(choices) ? choices[0] : undefined;
  const content = choice?.message?.content;
  if (problem !== undefined || typeof content !== "string")
    throw new ToolError(
      "TOOL_FAILED",
      `The model gateway answered without a reply${problem === undefined ? "" : `: ${problem.slice(0, 300)}`}.`,
      { retryable: true },
    );
  const used = typeof model === "string" ? model : asked;
  const cost = costOf(usage, settings, asked, used);
  return {
    content,
    model: used,
    ...(typeof choice?.finish_reason === "string" && { finish_reason: choice.finish_reason }),
    ...(usage !== undefined && { usage: countsOf(usage) }),
    ...(cost !== undefined && { cost_estimate: cost }),
  };
}

function countsOf({ prompt_tokens, completion_tokens, total_tokens }: Usage): Omit<Usage, "cost"> {
  const counts = { prompt_tokens, completion_tokens, total_tokens };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => Number.isSafeInteger(count)));
}

function costOf(usage: Usage | undefined, { prices }: Settings, ...models: readonly string[]): number | undefined {
  if (typeof usage?.cost === "number") return usage.cost;
  const named = models.find((model) => prices !== undefined && Object.hasOwn(prices, model));
  if (usage === undefined || named === undefined) return undefined;
  const { prompt, completion } = prices![named]!;
  return ((usage.prompt_tokens ?? 0) * prompt + (usage.completion_tokens ?? 0) * completion) / 1_000_000;
}
