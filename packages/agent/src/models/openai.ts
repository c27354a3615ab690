import { isObject } from "@toolrack/core/internal";
import { writeChoice, writeResults } from "@toolrack/core/vendors";
import { toEffort } from "./shared/effort.ts";
import { createClient, rawOwner } from "./shared/client.ts";
import { argumentsOf, toTurns, type WireTurn } from "./shared/conversation.ts";
import { at, countAt, objectsAt, textAt } from "./shared/json.ts";
import type { ModelOptions } from "./shared/options.ts";
import type { ModelClient, ModelWire, WireEnd } from "./shared/wire.ts";

/**
 * OpenAI Responses: `POST /v1/responses`. Nothing is stored there: reasoning comes back encrypted, and goes back to the model that had it.
 * The base URL ends with "/v1".
 */
export function openaiModel(options: ModelOptions): ModelClient {
  const { model, body: { include, reasoning, ...rest } = {} } = options;
  const body = { ...rest, ...(reasoning !== undefined && { reasoning }) };
  const included = new Set(["reasoning.encrypted_content", ...(Array.isArray(include) ? (include as unknown[]) : [])]);
  const wire: ModelWire = {
    target: "openai-responses",
    vendor: "openai",
    format: "events",
    canThink: true,
    path: "/responses",
    headers: (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
    body(request) {
      const limit = request.maxOutputTokens ?? options.maxOutputTokens;
      return {
        model,
        ...(request.instructions !== "" && { instructions: request.instructions }),
        input: toTurns(request, "openai-responses", rawOwner("openai", model)).flatMap(toItems),
        ...(request.tools && {
          tools: request.tools.tools,
          ...(request.choice !== undefined && writeChoice(request.choice, request.tools)),
        }),
        ...(limit !== undefined && { max_output_tokens: limit }),
        ...(request.thinking !== undefined && { reasoning: { ...(isObject(reasoning) && reasoning), effort: toEffort(request.thinking) } }),
        store: false,
        include: [...included],
        stream: true,
      };
    },
    deltas(event) {
      const text = textAt(event, "delta");
      const type = textAt(event, "type");
      if (type === "response.output_text.delta" || type === "response.refusal.delta") return [{ type: "text", text }];
      return /^response\.reasoning(?:_summary)?_text\.delta$/.test(type) ? [{ type: "thinking", text }] : [];
    },
    isLast: isEnd,
    end: endOf,
  };
  return createClient({ ...options, body }, { maker: "openaiModel", defaultUrl: "https://api.openai.com/v1" }, () => wire);
}

function toItems(turn: WireTurn): readonly unknown[] {
  if (turn.kind === "results") return writeResults(turn.calls, turn.results, "openai-responses");
  if (turn.kind === "user") {
    const images = turn.images.map(({ mimeType, data }) => ({ type: "input_image", image_url: `data:${mimeType};base64,${data}` }));
    return [{ role: "user", content: [...(turn.text === "" ? [] : [{ type: "input_text", text: turn.text }]), ...images] }];
  }
  const { text, calls, raw } = turn;
  const ids = raw?.filter((item) => at(item, "type") === "function_call").map((item) => textAt(item, "call_id"));
  // Reasoning may stand only before the items that it came with.
  if (raw !== undefined && ids!.length === calls.length && ids!.every((id, index) => id === calls[index]!.id)) return raw;
  const called = calls.map((call) => ({
    type: "function_call",
    call_id: call.id,
    name: call.wireName,
    arguments: JSON.stringify(argumentsOf(call)),
  }));
  return text === "" ? called : [{ role: "assistant", content: text }, ...called];
}

function isEnd(event: unknown): boolean {
  return ["response.completed", "response.incomplete"].includes(textAt(event, "type"));
}

function endOf(events: readonly unknown[]): WireEnd {
  const ended = events.findLast(isEnd);
  const response = at(ended, "response");
  const cached = countAt(response, "usage", "input_tokens_details", "cached_tokens");
  const output = objectsAt(response, "output");
  const reason = textAt(response, "incomplete_details", "reason");
  const refusal = output.flatMap((item) => objectsAt(item, "content")).some(({ type }) => type === "refusal");
  // Without what was encrypted the vendor would look for reasoning that it has not stored.
  const items = output.filter((item) => item["type"] !== "reasoning" || textAt(item, "encrypted_content") !== "");
  return {
    stop:
      ended === undefined
        ? undefined
        : refusal || reason === "content_filter"
          ? "refused"
          : at(ended, "type") === "response.incomplete"
            ? "length"
            : "finished",
    count: {
      inputTokens: countAt(response, "usage", "input_tokens") ?? 0,
      outputTokens: countAt(response, "usage", "output_tokens") ?? 0,
      ...(cached !== undefined && { cachedTokens: cached }),
    },
    ...(items.some(({ type }) => type === "reasoning") && at(ended, "type") === "response.completed" && { raw: items }),
    ...(reason !== "" && { reason }),
  };
}
