import { type FieldKind } from "@toolrack/core/internal";
import { type ProviderTarget, writeChoice, writeResults } from "@toolrack/core/vendors";
import { toEffort } from "./shared/effort.ts";
import { createClient } from "./shared/client.ts";
import { argumentsOf, toTurns, type WireTurn } from "./shared/conversation.ts";
import { at, countAt, objectsAt, textAt } from "./shared/json.ts";
import type { ModelOptions } from "./shared/options.ts";
import type { ModelClient, ModelWire, WireEnd } from "./shared/wire.ts";

/** The vendors that speak Chat Completions. */
export type ChatTarget = Extract<ProviderTarget, "openai-chat" | "deepseek" | "groq" | "mistral" | "openrouter" | "xai">;

export interface ChatModelOptions extends ModelOptions {
  /** Whose rules for schemas hold. @default "openai-chat" */
  readonly target?: ChatTarget;
}

const targets: readonly string[] = ["openai-chat", "deepseek", "groq", "mistral", "openrouter", "xai"] satisfies ChatTarget[];
const fields: Readonly<Record<string, FieldKind>> = {
  target: { is: `one of ${targets.join(", ")}`, test: (value) => targets.includes(value as string), quotes: true },
};

/** Chat Completions: `POST {baseUrl}/chat/completions`, of OpenAI or of any service and local server that took the API over. */
export function chatModel(options: ChatModelOptions): ModelClient {
  const { model, target = "openai-chat" } = options;
  return createClient(options, { maker: "chatModel", defaultUrl: "https://api.openai.com/v1", fields }, ({ hostname }): ModelWire => {
    // OpenAI gave the field another name; the others kept the first.
    const limitName = hostname === "api.openai.com" ? "max_completion_tokens" : "max_tokens";
    return {
      target,
      format: "events",
      canThink: true,
      path: "/chat/completions",
      headers: (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
      body(request) {
        const limit = request.maxOutputTokens ?? options.maxOutputTokens;
        const system = request.instructions === "" ? [] : [{ role: "system", content: request.instructions }];
        return {
          model,
          messages: [...system, ...toTurns(request, target).flatMap((turn) => toMessages(turn, target))],
          ...(request.tools && {
            tools: request.tools.tools,
            ...(request.choice !== undefined && writeChoice(request.choice, request.tools)),
          }),
          ...(limit !== undefined && { [limitName]: limit }),
          ...(request.thinking !== undefined && { reasoning_effort: toEffort(request.thinking) }),
          stream: true,
          stream_options: { include_usage: true },
        };
      },
      deltas: deltasOf,
      end: endOf,
    };
  });
}

function toMessages(turn: WireTurn, target: ChatTarget): readonly unknown[] {
  if (turn.kind === "results") return writeResults(turn.calls, turn.results, target);
  if (turn.kind === "user") {
    if (turn.images.length === 0) return [{ role: "user", content: turn.text }];
    const images = turn.images.map(({ mimeType, data }) => ({ type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } }));
    return [{ role: "user", content: [...(turn.text === "" ? [] : [{ type: "text", text: turn.text }]), ...images] }];
  }
  const calls = turn.calls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.wireName, arguments: JSON.stringify(argumentsOf(call)) },
  }));
  return [{ role: "assistant", content: turn.text === "" ? null : turn.text, ...(calls.length > 0 && { tool_calls: calls }) }];
}

/** Content is text, or a list of parts, as Mistral writes thoughts. Others have fields of their own for these. */
function deltasOf(event: unknown): ReturnType<ModelWire["deltas"]> {
  const delta = at(event, "choices", 0, "delta");
  const thought = textAt(delta, "reasoning_content") || textAt(delta, "reasoning");
  const parts = objectsAt(delta, "content").map((part) =>
    part["type"] === "thinking"
      ? {
          type: "thinking" as const,
          text: objectsAt(part, "thinking")
            .map((piece) => textAt(piece, "text"))
            .join(""),
        }
      : { type: "text" as const, text: textAt(part, "text") },
  );
  return [{ type: "thinking", text: thought }, { type: "text", text: textAt(delta, "content") || textAt(delta, "refusal") }, ...parts];
}

function endOf(events: readonly unknown[]): WireEnd {
  const reason = events.map((event) => textAt(event, "choices", 0, "finish_reason")).findLast((word) => word !== "");
  const refusal = events.some((event) => textAt(event, "choices", 0, "delta", "refusal") !== "");
  const usage = events
    .map((event) => at(event, "usage") ?? at(event, "x_groq", "usage"))
    .findLast((found) => found !== undefined && found !== null);
  const cached = countAt(usage, "prompt_tokens_details", "cached_tokens") ?? countAt(usage, "prompt_cache_hit_tokens");
  const cost = at(usage, "cost");
  return {
    stop:
      reason === undefined ? undefined : refusal || reason === "content_filter" ? "refused" : /length/.test(reason) ? "length" : "finished",
    count: {
      inputTokens: countAt(usage, "prompt_tokens") ?? 0,
      outputTokens: countAt(usage, "completion_tokens") ?? 0,
      ...(cached !== undefined && { cachedTokens: cached }),
      ...(typeof cost === "number" && cost >= 0 && { costUsd: cost }),
    },
    ...(reason === "content_filter" && { reason }),
  };
}
